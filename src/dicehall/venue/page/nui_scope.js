// What elements of a NUI window share: the values of binds, where an element is, and how a problem is named.

export class NuiError extends Error {
  constructor(path, message) {
    super(`${path}: ${message}`);
    this.path = path;
  }
}

const isBind = (value) => value !== null && typeof value === "object" && typeof value.bind === "string";

/** The values of binds, and who follows them. */
export class Binds {
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
export class Scope {
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

export function make(tag, name, ...children) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...children);
  return node;
}

export const colour = ({ r, g, b, a = 255 }) => `rgb(${r} ${g} ${b} / ${a / 255})`;
