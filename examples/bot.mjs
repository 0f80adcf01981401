// A bot that plays any of the games over the network, in plain JavaScript: it chooses anything it may do.
//
//   node examples/bot.mjs http://127.0.0.1:8000 --game wards --name Robin       (Node 22 or newer)
//   node --experimental-websocket examples/bot.mjs http://127.0.0.1:8000 ...    (Node 20)
//
// Options: --table ID, --game GAME, --seats N, --rules JSON, --name NAME. It needs nothing but docs/protocol.md:
// it signs in as a guest, commits to words, opens them when asked, and plays till the game is over. When the
// connection breaks it comes back, resumes, and sends again what was not answered, under the same `once`.
import { createHash, randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

const text = (name) => ({ [name]: { type: "string" } });
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...text("table"), ...text("game"), ...text("seats"), ...text("rules"), ...text("name") },
});
if (positionals.length !== 1 || typeof WebSocket === "undefined") {
  console.error("usage: node [--experimental-websocket] bot.mjs URL [--table ID | --game GAME] [--name NAME]");
  process.exit(2);
}
const address = positionals[0].replace(/^http/, "ws").replace(/\/$/, "") + "/ws";

// -- one conversation over as many sockets as it takes --------------------------------------------

const unanswered = new Map(); // id -> {message, done, failed}
let socket = null; // while requests may go out on it
let lastId = 0;
let token = null;
let followed = null; // {table, n}: what we watch, and the last update we heard
let early = null; // while we resume: updates that came before the answer that tells what we missed
let words = null; // what we committed to
let wake = () => {}; // called when something has happened at the table
let finished = false;

function ask(message, on = socket) {
  const id = ++lastId;
  return new Promise((done, failed) => {
    unanswered.set(id, { message: { id, ...message }, done, failed, greeting: on !== socket });
    on?.send(JSON.stringify({ id, ...message }));
  });
}
// What changes something carries an id of its own: sent twice, it is done once.
const doOnce = (message) => ask({ ...message, once: randomBytes(12).toString("hex") });

function hear(data) {
  const message = JSON.parse(data);
  if ("re" in message) {
    const asked = unanswered.get(message.re);
    unanswered.delete(message.re);
    if (message.error) asked?.failed(Object.assign(new Error(message.error.message), message.error));
    else asked?.done(message.ok);
  } else if (message.table === followed?.table && "n" in message) {
    if (early) early.push(message);
    else heard(message);
  }
}

function heard(update) {
  if (update.n <= followed.n) return;
  followed.n = update.n;
  if (update.asks_for_words) openWords();
  wake();
}

function openWords() {
  if (words !== null) ask({ do: "words", table: followed.table, words }).catch(() => {}); // opened already, or too late
}

async function greet(fresh) {
  await ask({ do: "hello", version: 1 }, fresh);
  if (token) await ask({ do: "sign_in", token }, fresh);
  let shown = null;
  if (followed) {
    early = [];
    const answer = await ask({ do: "watch", table: followed.table, since: followed.n }, fresh);
    [...answer.updates, ...early].forEach(heard);
    early = null;
    shown = answer.table;
  }
  socket = fresh;
  for (const { message } of unanswered.values()) fresh.send(JSON.stringify(message));
  if (shown?.asks_for_words) openWords();
  wake();
}

function connect() {
  const fresh = new WebSocket(address);
  let over = false;
  fresh.onopen = () => greet(fresh).catch((error) => console.error(error.message));
  fresh.onmessage = (event) => hear(event.data);
  fresh.onclose = fresh.onerror = () => {
    if (over || finished) return;
    over = true; // Node 20 tells a failed connection by its error alone
    socket = null;
    for (const [id, asked] of unanswered) if (asked.greeting) unanswered.delete(id); // said anew on the next socket
    setTimeout(connect, 300);
  };
}

// -- playing --------------------------------------------------------------------------------------

async function sit(table) {
  const watched = await ask({ do: "watch", table });
  followed = { table, n: watched.table.n };
  words = randomBytes(16).toString("hex");
  const commitment = createHash("sha256").update(`dicehall/words\n${words}`).digest("hex");
  const answer = await doOnce({ do: "sit", table, commitment });
  if (answer.table.asks_for_words) openWords();
  return table;
}

async function sitDown() {
  if (options.table) return sit(options.table);
  const game = options.game ?? "wards";
  for (const { id } of (await ask({ do: "find", game, phase: "lobby" })).tables) {
    try {
      return await sit(id);
    } catch (error) {
      if (!["table_full", "wrong_password", "already_started"].includes(error.code)) throw error;
    }
  }
  const seats = options.seats ? { seats: Number(options.seats) } : {};
  const opened = await doOnce({ do: "open", game, rules: JSON.parse(options.rules ?? "{}"), ...seats });
  return sit(opened.id);
}

async function playOn(table) {
  for (;;) {
    const news = new Promise((done) => (wake = done));
    const shown = await ask({ do: "look", table });
    if (["over", "abandoned"].includes(shown.phase)) return shown;
    const choices = shown.choices[String(shown.me)] ?? [];
    const better = choices.filter((choice) => choice !== "fold");
    const from = better.length ? better : choices;
    try {
      if (from.length) {
        await doOnce({ do: "act", table, move: from[Math.floor(Math.random() * from.length)] });
        continue;
      }
      if (shown.phase === "lobby" && shown.seats.every((seat) => seat.name)) await doOnce({ do: "start", table });
    } catch (error) {
      if (!error.code) throw error;
      console.error(error.code, error.message); // somebody was quicker, or the clock
    }
    await news;
  }
}

connect();
try {
  token = (await ask({ do: "guest", name: options.name ?? "Robin" })).token;
  const table = await sitDown();
  const shown = await playOn(table);
  console.log(JSON.stringify({ table, me: shown.me, over: shown.over }));
  finished = true;
  socket?.close();
} catch (error) {
  console.error(`${error.code ?? "broken"}: ${error.message}`);
  process.exit(1);
}
