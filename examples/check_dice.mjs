// Check the dice of a Dicehall record: node check_dice.mjs RECORD.json [SEAL]
//
// SEAL is the seal as you saw it before the game; without it the record is only checked against itself.
// This needs nothing but Node 18. It does not know the rules of the games: it takes the dice that were asked for and the
// end of the game from the record. To have those checked too, use `dicehall replay RECORD.json --check`.
// Exit codes: 0 everything agrees, 4 something does not (or there is nothing to check), 2 this cannot be read as a record.
import { createHash, createHmac } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const KINDS = ["roll", "move", "expired", "attend"];
const FIRST_GAMES = ["wards", "aetharn", "doordice", "tenthousand", "mana"]; // recorded before sides were written down
const MOST_LEVELS = 100; // of objects and lists inside each other
const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const HEX = /^[0-9a-f]{64}$/;

const sha256 = (data) => createHash("sha256").update(data).digest();
const orderOf = (n) => Array.from({ length: Math.max(n - 1, 0) }, (_, i) => n - i);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const areWhole = (value) => Array.isArray(value) && value.every(Number.isInteger);
const areSides = (value) => areWhole(value) && value.length > 0 && value.every((n) => n >= 1 && n <= 65536);
const areTexts = (value) => Array.isArray(value) && value.every((text) => typeof text === "string");

class Unreadable extends Error {}

function need(good, sentence) {
  if (!good) throw new Unreadable(sentence);
}

// JSON that all readers read alike: no object has a key twice (readers differ in which they take), nothing is nested too
// deeply, and a number that is not written as a whole one of at most 15 digits, such as 6.0, is read as 0.5.
function parse(text) {
  JSON.parse(text); // from here on it is good JSON
  const open = []; // the keys of every object that is open, null for a list
  const tokens = text.match(new RegExp(`${STRING}|[{}[\\]:]`, "g")) ?? [];
  for (const [at, token] of tokens.entries()) {
    if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : null);
      need(open.length <= MOST_LEVELS, "This document is nested too deeply.");
    } else if (token === "}" || token === "]") open.pop();
    else if (token !== ":") {
      const string = JSON.parse(token);
      need(!/\p{Surrogate}/u.test(string), "Half a character is not text.");
      if (tokens[at + 1] !== ":") continue;
      need(!open.at(-1).has(string), "A key appears twice in one object.");
      open.at(-1).add(string);
    }
  }
  const numbers = new RegExp(`${STRING}|-?\\d[\\d.eE+-]*`, "g");
  return JSON.parse(text.replace(numbers, (token) => (/^"|^-?\d{1,15}$/.test(token) ? token : "0.5")));
}

// A record of the right shape, as far as it is looked at here.
function read(bytes) {
  const record = parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  need(isObject(record), "A record must be a JSON object.");
  need(record.dicehall === 1, "This is not a record of version 1.");
  need(typeof record.game === "string", "The game must be text.");
  need(areTexts(record.seats) && !record.seats.some((name) => /\p{Cc}/u.test(name)), "The seats must be names.");
  need(Array.isArray(record.entries), "The entries must be a list.");
  for (const entry of record.entries) {
    need(isObject(entry) && KINDS.filter((kind) => kind in entry).length === 1, "An entry must have exactly one kind.");
    need(!("roll" in entry) || (areWhole(entry.roll) && !("seat" in entry)), "A roll must be a list of faces.");
  }
  if ((record.seal ?? null) !== null) checkShape(record.seal);
  const origins = record.origins ?? [];
  need(Array.isArray(origins), "The origins must be a list.");
  let before = 0;
  for (const origin of origins) {
    need(isObject(origin) && Number.isInteger(origin.entries), "An origin must state its entries.");
    need(before <= origin.entries && origin.entries <= record.entries.length, "The origins must be in order, within the entries.");
    checkShape(origin.seal);
    before = origin.entries;
  }
  if ((record.seal ?? null) !== null) {
    checkStated(record);
    checkSeated(record);
  }
  return record;
}

function checkStated({ entries, game, seal }) {
  const older = FIRST_GAMES.includes(game) && (seal.challenge ?? null) === null;
  const stated = entries.every((entry) => !("roll" in entry) || (entry.sides ?? null) !== null);
  need(older || stated, "A roll does not state the sides of its dice.");
}

// The dice of a daily challenge are counted by the turns of the seats.
function checkSeated({ entries, seats, seal }) {
  if ((seal.challenge ?? null) === null) return;
  const known = ({ seat }) => Number.isInteger(seat) && seat >= 0 && seat < seats.length;
  need(entries.every((entry) => "roll" in entry || known(entry)), "A seat must be the number of a player.");
}

function checkShape(seal) {
  need(isObject(seal) && areTexts([seal.table, seal.s0]), "The seal must have table and s0.");
  need(areTexts(seal.words), "The words must be a list of strings.");
  const later = [seal.challenge ?? null, seal.opened ?? null].filter((text) => text !== null);
  need(areTexts(later), "The day of a challenge and its secret must be texts.");
}

function* stream(secret, salt) {
  for (let number = 0; ; number++) {
    const block = Buffer.alloc(4);
    block.writeUInt32BE(number);
    yield* createHmac("sha256", secret).update(salt).update(block).digest();
  }
}

function face(bytes, n) {
  const values = n <= 256 ? 256 : 65536;
  for (;;) {
    const value = n <= 256 ? bytes.next().value : bytes.next().value * 256 + bytes.next().value;
    if (value < values - (values % n)) return (value % n) + 1; // beyond that low faces would be favoured
  }
}

// Every seal with the entries that were rolled with it: those of games it was continued from, then its own.
function* partsOf({ origins, seal, entries }) {
  let begin = 0;
  for (const origin of origins ?? []) {
    yield [origin.seal, begin, origin.entries];
    begin = origin.entries;
  }
  yield [seal, begin, entries.length];
}

// Every roll of a part as [faces, opened secret, sides], the draw of the seats first.
function* rollsOf(record, { drawn = null, words }, begin, end) {
  if (drawn !== null) yield [drawn.faces, drawn.opened, orderOf(words.length)];
  const rolls = [...record.entries.entries()].filter(([, entry]) => "roll" in entry);
  for (const [index, [at, { roll, opened, sides }]] of rolls.entries()) {
    if (begin <= at && at < end) yield [roll, opened, sides ?? sidesBefore(record, index, roll)];
  }
}

// Records made before sides were written down: six, but for Aetharn's order and Mana's armies.
function sidesBefore({ game, seats }, index, roll) {
  if (index === 0 && game === "aetharn") return orderOf(seats.length);
  const armies = roll.length === 66 ? 2 : 1; // both sides may have the same one
  if (index === 0 && game === "mana") return [...Array(32 * armies).fill(256), ...Array(armies).fill(4)];
  return roll.map(() => 6);
}

// Every roll of a daily challenge as [faces, salt, sides]. The salt names the roll in the turn of a seat.
function* challengeRolls({ entries, game, seal }) {
  let [seat, turn, rolls] = [0, 0, 0];
  const turns = new Map();
  for (const entry of entries) {
    if ("roll" in entry) {
      const salt = sha256(["dicehall/challenge", seal.challenge, game, seat, turn, ++rolls].join("\n"));
      yield [entry.roll, salt, entry.sides];
    } else if (!("attend" in entry) && (turn === 0 || entry.seat !== seat)) {
      [seat, turn, rolls] = [entry.seat, (turns.get(entry.seat) ?? 0) + 1, 0];
      turns.set(seat, turn);
    }
  }
}

// What is wrong with the dice of a daily challenge: one secret for all of them, opened the day after.
function* challengeFaults(record) {
  const { s0, words, challenge, opened, drawn = null } = record.seal;
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(challenge) || words.some((text) => text !== "")) {
    yield "A challenge must name its day, and no words are mixed into its dice.";
  }
  if (drawn !== null) yield "The seats of a challenge are not drawn.";
  if (!HEX.test(opened ?? "")) yield "The secret of the day is not in this record: it is opened the day after.";
  const secret = Buffer.from(opened, "hex");
  if (sha256(secret).toString("hex") !== s0) yield "The secret of the day is not the sealed one.";
  let number = 0;
  for (const [faces, salt, sides] of challengeRolls(record)) {
    if (!areSides(sides)) yield `Roll ${++number} does not state the sides of its dice.`;
    const bytes = stream(secret, salt);
    const [shown, fell] = [faces, sides.map((n) => face(bytes, n))].map((dice) => JSON.stringify(dice));
    if (shown !== fell) yield `Roll ${number + 1} shows ${shown}, but the sealed dice fell ${fell}.`;
    number++;
  }
}

// What is wrong, in order. Only the first counts: what follows may be wrong because of it.
function* faults(record, known) {
  const { entries, end = null } = record;
  let drawn = false;
  for (const [seal, begin, end] of partsOf(record)) {
    yield* faultsOf(record, seal, rollsOf(record, seal, begin, end), seal === record.seal ? known : undefined);
    drawn ||= (seal.drawn ?? null) !== null;
  }
  if (!drawn && !entries.some((entry) => "roll" in entry)) yield "There are no rolls: nothing to check.";
  if (end !== null && !(isObject(end) && end.entries === entries.length)) {
    yield `The record has ${entries.length} entries, but states a different number at its end.`;
  }
}

// What is wrong with the rolls of one seal.
function* faultsOf(record, seal, rolls, known) {
  const [{ seats }, { table, s0, words }] = [record, seal];
  if (!HEX.test(s0)) yield "The record's seal is not 64 hex digits in lower case.";
  if (known !== undefined && known !== s0) yield `The record's seal is ${s0}, not ${known}.`;
  if (/\p{Cc}/u.test(table)) yield "The table id contains a control character.";
  if (words.length !== seats.length) yield `The seal has words for ${words.length} seats, but ${seats.length} play.`;
  const daily = (seal.challenge ?? null) !== null;
  if (daily && (record.origins ?? []).length > 0) yield "A daily challenge is never continued.";
  yield* daily ? challengeFaults(record) : chainFaults(seal, rolls);
}

// What is wrong with the dice of any other table: each roll opens the next secret of the chain.
function* chainFaults({ table, s0, words }, rolls) {
  const salt = sha256(["dicehall/1", table, ...words.map((text) => Buffer.from(text, "utf8").toString("hex"))].join("\n"));
  let [number, before] = [0, s0];
  for (const [faces, opened, sides] of rolls) {
    number++;
    if (typeof opened !== "string" || !HEX.test(opened)) yield `Roll ${number} has no secret of 64 hex digits.`;
    const secret = Buffer.from(opened, "hex");
    if (sha256(secret).toString("hex") !== before) yield `The secret of roll ${number} is not the sealed one.`;
    if (!areSides(sides)) yield `Roll ${number} does not state the sides of its dice.`;
    const bytes = stream(secret, salt);
    const [shown, fell] = [faces, sides.map((n) => face(bytes, n))].map((dice) => JSON.stringify(dice));
    if (shown !== fell) yield `Roll ${number} shows ${shown}, but the sealed dice fell ${fell}.`;
    before = opened;
  }
}

// What is wrong with the dice of a record, or undefined; throws where it cannot be read.
export function check(bytes, known) {
  const record = read(bytes);
  const sealed = (record.seal ?? null) !== null;
  const fault = sealed ? faults(record, known?.trim().toLowerCase()).next().value : "The record has no seal: nothing to check.";
  return { record, fault };
}

function main(path, known, ...more) {
  need(more.length === 0, "There are too many arguments.");
  const { record, fault } = check(readFileSync(path), known);
  if (fault !== undefined) {
    console.log(fault);
    return 4;
  }
  console.log("All rolls agree with", known ? "the seal you gave." : "the record itself; give the seal you saw, too.");
  console.log("Words mixed in, seat by seat (yours should be among them):", JSON.stringify(record.seal.words));
  console.log("The record", (record.end ?? null) === null ? "does not state" : "states", "that the game is over.");
  return 0;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = main(...process.argv.slice(2));
  } catch (error) {
    console.error(`usage: node check_dice.mjs RECORD.json [SEAL]\nThis cannot be read as a record: ${error.message}`);
    process.exitCode = 2;
  }
}
