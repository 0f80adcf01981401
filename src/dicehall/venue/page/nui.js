// Renders a NUI window of Neverwinter Nights in a browser. A change of a bind touches only what is bound to it.
//
//   const shown = showWindow(place, nui, {binds, watch, send});
//   shown.update({points: "450"});
//
// `send` gets what the game would report: {type: "click" | "watch" | "close", element, index, payload}.

import { drawList, drawChart } from "./nui_drawing.js";

export class NuiError extends Error {
  constructor(path, message) {
    super(`${path}: ${message}`);
    this.path = path;
  }
}

const isBind = (value) => value !== null && typeof value === "object" && typeof value.bind === "string";

/** The values of binds, and who follows them. */
class Binds {
  constructor(values) {
    this.values = { ...values };
    this.followers = new Map();
  }

  set(changed) {
    Object.assign(this.values, changed);
    const touched = new Set(Object.keys(changed).flatMap((name) => [...(this.followers.get(name) ?? [])]));
    for (const follow of touched) follow();
  }

  follow(name, listener) {
    if (!this.followers.has(name)) this.followers.set(name, new Set());
    this.followers.get(name).add(listener);
    return () => this.followers.get(name).delete(listener);
  }
}

/** Where an element is: its path for messages, its row in a list, and what to undo when the row goes. */
class Scope {
  constructor(window, path, row = null, undo = []) {
    Object.assign(this, { window, path, row, undo });
  }

  at(step) {
    return new Scope(this.window, `${this.path}${step}`, this.row, this.undo);
  }

  inRow(row, undo) {
    return new Scope(this.window, this.path, row, undo);
  }

  value(spec) {
    if (!isBind(spec)) return plain(spec);
    const bound = this.window.binds.values[spec.bind];
    return plain(this.row !== null && Array.isArray(bound) ? bound[this.row] : bound);
  }

  /** Apply a value now, and again whenever what it is bound to changes. */
  use(spec, apply) {
    if (spec === undefined || spec === null) return;
    if (isBind(spec)) this.undo.push(this.window.binds.follow(spec.bind, () => apply(this.value(spec))));
    apply(this.value(spec));
  }

  /** What a person did to a value: the bind changes, and the game hears of it if it watches. */
  change(spec, value) {
    if (!isBind(spec)) return;
    const { binds, watch, send } = this.window;
    const old = binds.values[spec.bind];
    const now = this.row !== null && Array.isArray(old) ? old.with(this.row, value) : value;
    binds.set({ [spec.bind]: now });
    if (watch.has(spec.bind)) send({ type: "watch", element: spec.bind, index: -1, payload: { value: now } });
  }

  click(element) {
    if (element.id) this.window.send({ type: "click", element: element.id, index: this.row ?? -1, payload: null });
  }
}

function plain(value) {
  if (value !== null && typeof value === "object" && "strref" in value) return `text ${value.strref}`;
  return value;
}

function make(tag, name, ...children) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...children);
  return node;
}

const colour = ({ r, g, b, a = 255 }) => `rgb(${r} ${g} ${b} / ${a / 255})`;
const hex = ({ r, g, b }) => `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
const SIDES = { 0: "center", 1: "start", 2: "end" };

// -- elements ---------------------------------------------------------------------------------------------

function layout(name) {
  return (element, scope) => {
    const node = make("div", `nui-${name}`);
    (element.children ?? []).forEach((child, n) => node.append(build(child, scope.at(`.children[${n}]`))));
    return node;
  };
}

function labelled(element, scope) {
  const node = make("span", "nui-label");
  scope.use(element.value, (text) => (node.textContent = text));
  scope.use(element.text_halign, (side) => (node.style.justifyContent = SIDES[side]));
  scope.use(element.text_valign, (side) => (node.style.alignItems = SIDES[side]));
  return node;
}

function longText(element, scope) {
  const node = make("div", "nui-text");
  if (element.border !== false) node.classList.add("nui-framed");
  if (element.scrollbars !== 0) node.tabIndex = 0;
  scope.use(element.value, (text) => (node.textContent = text));
  return node;
}

function button(element, scope) {
  const node = make("button", "nui-button");
  node.type = "button";
  scope.use(element.label, (text) => (node.textContent = text));
  whenUsed(node, () => scope.click(element));
  return node;
}

function imageButton(element, scope) {
  const node = button({ ...element, label: null }, scope);
  node.append(picture({ ...element, value: element.label }, scope));
  return node;
}

function selectButton(element, scope) {
  const node = make("button", "nui-button");
  node.type = "button";
  scope.use(element.label, (text) => (node.textContent = text));
  scope.use(element.value, (on) => node.setAttribute("aria-pressed", String(Boolean(on))));
  whenUsed(node, () => {
    scope.change(element.value, !scope.value(element.value));
    scope.click(element);
  });
  return node;
}

function check(element, scope) {
  const box = make("input");
  box.type = "checkbox";
  const caption = make("span");
  scope.use(element.label, (text) => (caption.textContent = text));
  scope.use(element.value, (on) => (box.checked = Boolean(on)));
  box.addEventListener("click", (event) => isOff(box) && event.preventDefault());
  box.addEventListener("change", () => scope.change(element.value, box.checked));
  return make("label", "nui-check", box, caption);
}

/** The game's own pictures are not here: a frame with the name stands in. */
function picture(element, scope) {
  const node = make("span", "nui-image");
  scope.use(element.value, (name) => (node.textContent = name));
  return node;
}

function progress(element, scope) {
  const node = make("progress", "nui-progress");
  node.max = 1;
  scope.use(element.value, (share) => (node.value = share));
  return node;
}

function slider(step) {
  return (element, scope) => {
    const node = make("input", "nui-slider");
    node.type = "range";
    for (const name of ["min", "max", "step"]) scope.use(element[name] ?? { min: 0, max: 1, step }[name], (n) => (node[name] = n));
    scope.use(element.value, (number) => (node.value = number));
    node.addEventListener("input", () => scope.change(element.value, Number(node.value)));
    return node;
  };
}

function textEdit(element, scope) {
  const node = make(element.multiline ? "textarea" : "input", "nui-edit");
  if (element.max) node.maxLength = element.max;
  scope.use(element.label, (text) => (node.placeholder = text));
  scope.use(element.value, (text) => node.value === text || (node.value = text));
  node.addEventListener("input", () => scope.change(element.value, node.value));
  return node;
}

function combo(element, scope) {
  const node = make("select", "nui-combo");
  scope.use(element.elements, (entries) => node.replaceChildren(...entries.map(([text, value]) => new Option(text, value))));
  scope.use(element.value, (value) => (node.value = String(value)));
  node.addEventListener("change", () => scope.change(element.value, Number(node.value)));
  return node;
}

let groups = 0;

/** Radio buttons; a tab bar is the same with another look. */
function choice(look) {
  return (element, scope) => {
    const node = make("div", `nui-choice ${look}`);
    const name = `nui-choice-${++groups}`;
    node.setAttribute("role", "radiogroup");
    node.style.flexDirection = element.direction === 1 ? "column" : "row";
    scope.use(element.elements, (entries) => node.replaceChildren(...entries.map((text, n) => option(text, n))));
    scope.use(element.value, (chosen) => node.querySelectorAll("input").forEach((box, n) => (box.checked = n === chosen)));
    return node;

    function option(text, n) {
      const box = Object.assign(make("input"), { type: "radio", name });
      box.addEventListener("change", () => scope.change(element.value, n));
      return make("label", "", box, text);
    }
  };
}

function colourPicker(element, scope) {
  const node = make("input", "nui-colour");
  node.type = "color";
  scope.use(element.value, (value) => (node.value = hex(value)));
  node.addEventListener("input", () => {
    const [r, g, b] = [1, 3, 5].map((from) => parseInt(node.value.slice(from, from + 2), 16));
    scope.change(element.value, { r, g, b, a: 255 });
  });
  return node;
}

function list(element, scope) {
  const node = make("div", element.border === false ? "nui-list" : "nui-list nui-framed");
  node.setAttribute("role", "list");
  node.tabIndex = 0;
  let undo = [];
  scope.use(element.row_count, (count) => {
    const wanted = Array.isArray(count) ? count.length : count;
    if (wanted === node.children.length) return;
    undo.forEach((forget) => forget());
    undo = [];
    node.replaceChildren(...Array.from({ length: wanted }, (_, row) => listRow(element, scope.inRow(row, undo))));
  });
  return node;
}

function listRow(element, scope) {
  const node = make("div", "nui-list-row");
  node.setAttribute("role", "listitem");
  node.style.height = `${element.row_height ?? 25}px`;
  element.row_template.forEach(([cell, width, grows], n) => {
    const part = build(cell, scope.at(`.row_template[${n}][0]`));
    part.style.flex = grows || !width ? "1 1 0" : `0 0 ${width}px`;
    node.append(part);
  });
  return node;
}

const BUILDERS = {
  col: layout("col"),
  row: layout("row"),
  group: (element, scope) => {
    const node = layout("group")(element, scope);
    if (element.border !== false) node.classList.add("nui-framed");
    return node;
  },
  spacer: () => make("span", "nui-spacer"),
  label: labelled,
  text: longText,
  textedit: textEdit,
  button,
  button_image: imageButton,
  button_select: selectButton,
  check,
  image: picture,
  movieplayer: picture,
  progress,
  slider: slider(1),
  sliderf: slider(0.01),
  combo,
  options: choice("nui-options"),
  tabbar: choice("nui-tabs"),
  toggles: choice("nui-tabs"),
  color_picker: colourPicker,
  chart: drawChart,
  list,
};

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

// A control that is off keeps the focus, so that people with a keyboard do not lose their place.
function enable(cell, on) {
  cell.querySelectorAll("button, input, select, textarea").forEach((one) => one.setAttribute("aria-disabled", String(!on)));
  cell.classList.toggle("nui-off", !on);
}

const isOff = (node) => node.getAttribute("aria-disabled") === "true";

function whenUsed(node, act) {
  node.addEventListener("click", () => isOff(node) || act());
}

// -- windows ----------------------------------------------------------------------------------------------

/** Show a window in a place. An element that is not known is shown as an error, with its name and path. */
export function showWindow(place, nui, { binds = {}, watch = [], send = () => {} } = {}) {
  const window = { binds: new Binds(binds), watch: new Set(watch), send };
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
