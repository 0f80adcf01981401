// Renders a NUI window of Neverwinter Nights in a browser. A change of a bind touches only what is bound to it.
//
//   const shown = showWindow(place, nui, {binds, watch, send});
//   shown.update({points: "450"});
//
// `send` gets what the game would report: {type: "click" | "watch" | "close", element, index, payload}.

import { drawList } from "./nui_drawing.js";
import { BUILDERS } from "./nui_elements.js";
import { Binds, NuiError, Scope, colour, make } from "./nui_scope.js";

const PRESSED = "button, [type=checkbox]";
const LAYOUTS = new Set(["col", "row", "group"]);
const CONTROLS = "button, input, select, textarea, progress, [role=radiogroup], [role=list], [role=img]";

function build(element, scope) {
  const builder = Object.hasOwn(BUILDERS, element?.type) ? BUILDERS[element.type] : null;
  if (!builder) throw new NuiError(scope.path, `there is no element '${element?.type}'`);
  const inner = builder(element, scope);
  const cell = make("div", `nui-cell nui-is-${element.type}`, inner);
  if (element.id) cell.dataset.nuiId = element.id;
  size(cell, element);
  name(inner, element, scope);
  scope.use(element.enabled, (on) => enable(cell, on));
  scope.use(element.visible, (on) => (cell.style.visibility = on ? "" : "hidden"));
  scope.use(element.foreground_color, (value) => (inner.style.color = colour(value)));
  scope.use(element.encouraged, (on) => cell.classList.toggle("nui-encouraged", on));
  if (element.draw_list) cell.append(...drawList(element, scope));
  return cell;
}

function size(cell, element) {
  if (element.width) Object.assign(cell.style, { width: `${element.width}px`, flex: "none" });
  if (element.height) Object.assign(cell.style, { height: `${element.height}px`, flex: element.width ? "none" : "" });
  if (element.height) cell.classList.add("nui-fixed-height");
  if (element.aspect) cell.style.aspectRatio = String(element.aspect);
  if (element.margin !== undefined && element.margin !== null) cell.style.margin = `${element.margin}px`;
  if (element.padding !== undefined && element.padding !== null) cell.style.padding = `${element.padding}px`;
}

/** A tooltip shows on hover and names a control that has no words of its own; else its id does. */
function name(inner, element, scope) {
  const own = LAYOUTS.has(element.type) ? null : inner.querySelector(CONTROLS); // what is in a layout has its own name
  const control = inner.matches(CONTROLS) ? inner : own;
  const words = control?.matches("button") ? control.textContent : control?.closest("label")?.textContent;
  const silent = control && !words;
  if (silent) control.setAttribute("aria-label", element.tooltip ? "" : (element.id ?? element.type));
  scope.use(element.tooltip, (text) => {
    inner.title = text;
    if (silent) control.setAttribute("aria-label", text);
  });
}

// What can be pressed keeps the focus when it is off, so that people with a keyboard do not lose their place.
function enable(cell, on) {
  cell.querySelectorAll(PRESSED).forEach((one) => one.setAttribute("aria-disabled", String(!on)));
  cell.querySelectorAll(`:is(input, select, textarea):not(${PRESSED})`).forEach((one) => (one.disabled = !on));
  cell.classList.toggle("nui-off", !on);
}

// -- windows ----------------------------------------------------------------------------------------------

/** Show a window in a place. An element that is not known is shown as an error, with its name and path. */
export function showWindow(place, nui, { binds = {}, watch = [], send = () => {} } = {}) {
  const window = { binds: new Binds(binds), watch: new Set(watch), send, build };
  const scope = new Scope(window, "root");
  const frame = make("section", "nui-window");
  place.replaceChildren(frame);
  try {
    frame.append(...titleBar(nui, new Scope(window, "window"), frame), make("div", "nui-body", build(nui.root, scope)));
  } catch (error) {
    if (!(error instanceof NuiError)) throw error;
    const alert = make("p", "nui-error", error.message);
    alert.setAttribute("role", "alert");
    frame.replaceChildren(alert);
    return { error, update() {}, close() {}, values: window.binds.values };
  }
  scope.use(nui.geometry, ({ w, h }) => {
    frame.style.width = `${w}px`;
    frame.style.minHeight = `${h}px`;
  });
  const fitted = fit(place, frame);
  return {
    error: null,
    values: window.binds.values,
    update: (changed) => window.binds.set(changed),
    close() {
      fitted.disconnect();
      frame.remove();
    },
  };
}

function titleBar(nui, scope, frame) {
  if (nui.title === false) return [];
  const title = make("h2", "nui-title");
  scope.use(nui.title, (text) => {
    title.textContent = text;
    frame.setAttribute("aria-label", text);
  });
  const close = Object.assign(make("button", "nui-close", "×"), { type: "button" });
  close.setAttribute("aria-label", "Close the window");
  close.addEventListener("click", () => scope.window.send({ type: "close", element: "", index: -1, payload: null }));
  return [make("header", "nui-bar", title, ...(scope.value(nui.closable) === false ? [] : [close]))];
}

/** A window that is wider than its place is shown smaller. */
function fit(place, frame) {
  const observer = new ResizeObserver(() => {
    const width = parseFloat(frame.style.width);
    frame.style.zoom = String(Math.min(1, place.clientWidth / width));
  });
  observer.observe(place);
  return observer;
}
