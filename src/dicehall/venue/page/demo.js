// The client of the sample tavern: what a player of Neverwinter Nights sees and does. Events go to the game server, which
// passes them on to the bridge; commands come back by long polling.

import { showWindow } from "./nui.js";

const WAIT_S = 20;
const RETRY_MS = 1500;
const LOOK_MS = 1000;
const MOST_MESSAGES = 100;
const LONGEST_LABEL = 12; // letters of a name on the map
const HIT = 30; // where a finger finds a chair, in units of the map
const areas = JSON.parse(document.body.dataset.areas);
const byId = (id) => document.getElementById(id);
const me = sessionStorage.getItem("key") ?? `visitor/${crypto.randomUUID()}`;
sessionStorage.setItem("key", me);
const nameBox = byId("name");
nameBox.value = sessionStorage.getItem("name") ?? "Traveller";
nameBox.addEventListener("change", () => sessionStorage.setItem("name", nameBox.value.trim() || "Traveller"));

const windows = new Map();
let cursor = "";
let seen = 0;
let pending = 0; // events that are not answered yet
let spot = null; // the observer spot in use
let chair = null;

// -- events -----------------------------------------------------------------------------------------------

/** Report an event; the answer has everything since the cursor. True if the bridge accepted it. */
async function post(event) {
  const player = { key: me, name: nameBox.value.trim() || "Traveller" };
  const body = JSON.stringify({ id: crypto.randomUUID(), since: cursor || undefined, player, ...event });
  document.body.dataset.pending = String(++pending);
  try {
    const answer = await fetch("/world/events", { method: "POST", headers: { "content-type": "application/json" }, body });
    const content = await answer.json();
    if (!answer.ok) say(content.error.message, true);
    else if ("seq" in content) take(content);
    return answer.ok;
  } catch {
    say("The game server does not answer.", true);
    return false;
  } finally {
    document.body.dataset.pending = String(--pending);
    look();
  }
}

const at = (object) => ({ area: areas[object], object });

async function useObject(node) {
  const object = node.dataset.id;
  const isChair = node.classList.contains("chair");
  if (!(await post({ type: isChair ? "chair_used" : "observer_used", payload: at(object) }))) return;
  if (isChair) chair = object;
  else spot = object;
  refreshButtons();
}

byId("stand").addEventListener("click", async () => {
  if (await post({ type: "chair_left", payload: at(chair) })) chair = null;
  refreshButtons();
});

byId("unwatch").addEventListener("click", async () => {
  await post({ type: "observer_used", payload: at(spot) });
  refreshButtons();
});

addEventListener("pagehide", () => {
  if (!windows.size && !chair) return;
  if (chair) sessionStorage.setItem("left", placeOf(chair));
  navigator.sendBeacon("/world/events", JSON.stringify({ type: "player_left", player: { key: me, name: nameBox.value } }));
});

// -- commands ---------------------------------------------------------------------------------------------

async function listen() {
  for (;;) {
    try {
      const answer = await fetch(`/world/commands?player=${encodeURIComponent(me)}&since=${encodeURIComponent(cursor)}&wait=${WAIT_S}`);
      if (!answer.ok) throw new Error(String(answer.status));
      take(await answer.json());
      byId("connection").hidden = true;
    } catch {
      byId("connection").hidden = false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function take({ commands, seq, next, reset }) {
  if (!reset && seq <= seen) return; // another answer had the same
  if (reset) [...windows.keys()].forEach((id) => closeWindow(id));
  const mine = commands.filter((command) => command.player === me && (reset || command.seq > seen));
  mine.forEach(apply);
  [seen, cursor] = [seq, next];
  refreshButtons();
}

function apply(command) {
  const { op, window: id } = command;
  if (op === "message") say(command.text);
  else if (op === "create") openWindow(id, command);
  else if (op === "bind") windows.get(id)?.update(command.binds);
  else if (op === "destroy") closeWindow(id);
}

function openWindow(id, { nui, binds, watch }) {
  const send = (event) => {
    post({ window: id, ...event });
    if (event.type === "close") closeWindow(id, true);
  };
  const isNew = !windows.has(id);
  windows.get(id)?.close();
  windows.set(id, showWindow(byId(id), nui, { binds, watch, send }));
  byId("hint").hidden = true;
  if (isNew && innerWidth <= 900) byId(id).scrollIntoView({ block: "start" });
}

function closeWindow(id, byHand = false) {
  windows.get(id)?.close();
  windows.delete(id);
  byId("hint").hidden = windows.size > 0;
  byId("hint").textContent = byHand
    ? "The window is closed; nothing else has changed. Use the same chair or spot again to reopen it."
    : "Choose a chair on the map, or watch from an observer spot.";
}

function say(text, isProblem = false) {
  const line = document.createElement("p");
  line.textContent = text;
  line.classList.toggle("problem", isProblem);
  const list = byId("messages");
  list.append(line);
  while (list.children.length > MOST_MESSAGES) list.firstElementChild.remove();
  list.scrollTop = list.scrollHeight;
}

// -- the map ----------------------------------------------------------------------------------------------

const spots = [...document.querySelectorAll("#map .chair, #map .observer")];

function shape(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

function prepare(node) {
  node.setAttribute("role", "button");
  node.setAttribute("tabindex", "0");
  node.querySelector("title").remove();
  const { x, y, width, height } = node.querySelector(".mark").getBBox();
  const middle = x + width / 2;
  const table = document.querySelector(`#map .table[data-id="${CSS.escape(node.dataset.table)}"] .mark`).getBBox();
  const isBehind = y + height / 2 < table.y + table.height / 2 - 1; // names are not on the table
  node.append(shape("text", { class: "person", x: middle, y: isBehind ? y - 5 : y + height + 14 }));
  node.append(shape("circle", { class: "hit", cx: middle, cy: y + height / 2, r: HIT }));
  node.addEventListener("click", () => useObject(node));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    useObject(node);
  });
}

async function look() {
  try {
    const answer = await fetch("/world/people");
    if (answer.ok) showPeople(await answer.json());
  } catch {
    // the polling above says so
  }
}

function showPeople({ seated, tables }) {
  if (!Object.values(seated).some(({ key }) => key === me)) chair = null;
  for (const node of spots) {
    const person = seated[node.dataset.id];
    const table = tables[node.dataset.table];
    const number = node.querySelector(".number").textContent;
    const isMine = person?.key === me;
    if (isMine) chair = node.dataset.id;
    node.classList.toggle("taken", Boolean(person) && !isMine);
    node.classList.toggle("mine", isMine);
    node.querySelector(".person").textContent = isMine ? "You" : shortened(person?.name ?? "");
    const where = table ? table.name.replace("Aetharn - ", "") : "a table that is gone";
    node.dataset.place = where;
    const who = isMine ? "your chair" : person ? `taken by ${person.name}` : "free";
    node.setAttribute("aria-label", node.classList.contains("chair") ? `Chair ${number}, ${where}, ${who}` : `Watch ${where} from ${number}`);
  }
  refreshButtons();
}

const shortened = (name) => (name.length > LONGEST_LABEL ? `${name.slice(0, LONGEST_LABEL - 1).trimEnd()}…` : name);

const placeOf = (object) => spots.find((node) => node.dataset.id === object)?.dataset.place ?? "the table";

/** After a reload: the character left the world with the page, and may come back for a while. */
function welcomeBack() {
  const place = sessionStorage.getItem("left");
  sessionStorage.removeItem("left");
  if (!place) return;
  byId("hint").textContent = `You left ${place} when you reloaded or closed the page. To go on with your game, sit down there again within 60 seconds.`;
}

function refreshButtons() {
  byId("stand").hidden = !chair;
  byId("unwatch").hidden = !spot || !windows.has("aetharnwatch");
}

spots.forEach(prepare);
welcomeBack();
look();
setInterval(look, LOOK_MS);
listen();
