// The drawings on top of elements (draw_list), and charts, as SVG.

import { NuiError, colour } from "./nui_scope.js";

const SVG = "http://www.w3.org/2000/svg";
const BEFORE = -1; // painted behind the element
const RENDER = { 1: "nui-unless-hovered", 2: "nui-if-hovered", 3: "nui-if-pressed", 4: "nui-never", 5: "nui-never" };
const CLOCKWISE = 1;

function shape(tag, attributes = {}) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

const ellipse = ({ rect: { x, y, w, h } }) => shape("ellipse", { cx: x + w / 2, cy: y + h / 2, rx: w / 2, ry: h / 2 });
const box = ({ rect: { x, y, w, h } }) => shape("rect", { x, y, width: w, height: h });
const line = ({ a, b }) => shape("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y });
const path = (steps) => shape("path", { d: steps });

function arc({ c, radius, amin, amax }) {
  const [start, end] = [amin, amax].map((angle) => `${c.x + radius * Math.cos(angle)} ${c.y + radius * Math.sin(angle)}`);
  const large = Math.abs(amax - amin) > Math.PI ? 1 : 0;
  return path(`M ${c.x} ${c.y} L ${start} A ${radius} ${radius} 0 ${large} ${CLOCKWISE} ${end} Z`);
}

function words({ rect: { x, y, h }, text }) {
  const node = shape("text", { x, y: y + h / 2, "dominant-baseline": "central" });
  node.textContent = text;
  return node;
}

function image({ rect: { x, y, w, h }, image: name }) {
  const node = shape("g");
  const text = shape("text", { x: x + w / 2, y: y + h / 2, "text-anchor": "middle", "dominant-baseline": "central" });
  text.textContent = name;
  node.append(shape("rect", { x, y, width: w, height: h, class: "nui-picture" }), text);
  return node;
}

const SHAPES = [
  { make: (v) => path(`M ${v.points.join(" ")}`), fields: ["points"] },
  { make: ({ a, b, ctrl0, ctrl1 }) => path(`M ${a.x} ${a.y} C ${ctrl0.x} ${ctrl0.y} ${ctrl1.x} ${ctrl1.y} ${b.x} ${b.y}`), fields: ["a", "b", "ctrl0", "ctrl1"] },
  { make: ellipse, fields: ["rect"] },
  { make: arc, fields: ["c", "radius", "amin", "amax"] },
  { make: words, fields: ["rect", "text"], filled: true },
  { make: image, fields: ["image", "rect"] },
  { make: line, fields: ["a", "b"] },
  { make: box, fields: ["rect"] },
];
const STYLE = ["enabled", "color", "fill", "line_thickness"];

/** One layer behind the element and one in front, each only if something is drawn there. */
export function drawList(element, scope) {
  const layers = [BEFORE, 1].map((order) => {
    const drawn = [...element.draw_list.entries()].filter(([, item]) => (item.order === BEFORE ? BEFORE : 1) === order);
    if (!drawn.length) return null;
    const layer = shape("svg", { class: order === BEFORE ? "nui-drawing nui-behind" : "nui-drawing", "aria-hidden": "true" });
    scope.use(element.draw_list_scissor, (cut) => (layer.style.overflow = cut ? "hidden" : "visible"));
    layer.append(...drawn.map(([n, item]) => drawing(item, scope.at(`.draw_list[${n}]`))));
    return layer;
  });
  return layers.filter(Boolean);
}

function drawing(item, scope) {
  const node = shape("g", { class: RENDER[item.render] ?? "" });
  const kind = SHAPES[item.type];
  if (!kind) throw new NuiError(scope.path, `there is no drawing of type ${item.type}`);
  const names = [...kind.fields, ...STYLE].filter((name) => item[name] !== undefined && item[name] !== null);
  const draw = () => node.replaceChildren(...copies(item, names, scope).map((values) => styled(kind, values)).filter(Boolean));
  let ready = false;
  for (const name of names) scope.use(item[name], () => ready && draw());
  ready = true;
  draw();
  return node;
}

/** The values of a drawing; with arrayBinds, those of each member of the bound lists. */
function copies(item, names, scope) {
  const values = Object.fromEntries(names.map((name) => [name, scope.value(item[name])]));
  const lists = names.filter((name) => item.arrayBinds && item[name]?.bind && Array.isArray(values[name]));
  if (!lists.length) return [values];
  const count = Math.max(...lists.map((name) => values[name].length));
  return Array.from({ length: count }, (_, n) => ({ ...values, ...Object.fromEntries(lists.map((name) => [name, values[name][n]])) }));
}

function styled(kind, values) {
  if (values.enabled === false || kind.fields.some((name) => values[name] === undefined)) return null;
  const node = kind.make(values);
  const paint = values.color ? colour(values.color) : "currentColor";
  const isFilled = values.fill || kind.filled;
  node.setAttribute("fill", isFilled ? paint : "none");
  node.setAttribute("stroke", isFilled ? "none" : paint);
  node.setAttribute("stroke-width", values.line_thickness ?? 1);
  return node;
}

// -- charts -----------------------------------------------------------------------------------------------

const LINES = 0;

export function drawChart(element, scope) {
  const picture = shape("svg", { class: "nui-chart", viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img" });
  const slots = element.value ?? [];
  const draw = () => {
    const all = slots.map((slot) => ({ type: slot.type, colour: slot.color ? colour(scope.value(slot.color)) : "currentColor", data: scope.value(slot.data) ?? [] }));
    const numbers = all.flatMap((slot) => slot.data);
    const [low, high] = [Math.min(0, ...numbers), Math.max(1, ...numbers)];
    const height = (value) => 38 - ((value - low) / (high - low)) * 36;
    picture.replaceChildren(...all.flatMap((slot) => (slot.type === LINES ? [curve(slot, height)] : columns(slot, height))));
    picture.setAttribute("aria-label", `Chart: ${slots.map((slot) => scope.value(slot.legend) ?? "").join(", ")}`);
  };
  let ready = false;
  for (const slot of slots) for (const spec of [slot.data, slot.color, slot.legend]) scope.use(spec, () => ready && draw());
  ready = true;
  draw();
  return picture;
}

const across = (n, count) => ((n + 0.5) / count) * 100;

function curve({ data, colour: stroke }, height) {
  const points = data.map((value, n) => `${across(n, data.length)},${height(value)}`).join(" ");
  return shape("polyline", { points, fill: "none", stroke, "vector-effect": "non-scaling-stroke", "stroke-width": 2 });
}

function columns({ data, colour: fill }, height) {
  const width = 60 / Math.max(1, data.length);
  return data.map((value, n) => {
    const [top, bottom] = [height(value), height(0)].sort((one, other) => one - other);
    return shape("rect", { x: across(n, data.length) - width / 2, y: top, width, height: bottom - top, fill, opacity: 0.7 });
  });
}
