// The elements of NUI, each made from its JSON and the scope that it is in.

import { drawChart } from "./nui_drawing.js";
import { make } from "./nui_scope.js";

const hex = ({ r, g, b }) => `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
const SIDES = { 0: "center", 1: "start", 2: "end" };

const isOff = (node) => node.getAttribute("aria-disabled") === "true";

function whenUsed(node, act) {
  node.addEventListener("click", () => isOff(node) || act());
}

function layout(name) {
  return (element, scope) => {
    const node = make("div", `nui-${name}`);
    (element.children ?? []).forEach((child, n) => node.append(scope.window.build(child, scope.at(`.children[${n}]`))));
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
    const part = scope.window.build(cell, scope.at(`.row_template[${n}][0]`));
    part.style.flex = grows || !width ? "1 1 0" : `0 0 ${width}px`;
    node.append(part);
  });
  return node;
}

export const BUILDERS = {
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
