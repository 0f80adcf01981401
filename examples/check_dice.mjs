// Check the dice of a Dicehall record: node check_dice.mjs RECORD.json [SEAL]
//
// SEAL is the seal as you saw it before the game; without it the record is only checked against itself.
// This needs nothing but Node 18. It knows no rules and takes the number of dice from the record; to have that
// checked too, use `dicehall replay RECORD.json --check`. Exit codes: 0 agrees, 4 does not, 2 cannot be read.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (data) => createHash("sha256").update(data).digest();
const orderOf = (n) => Array.from({ length: Math.max(n - 1, 0) }, (_, i) => n - i);

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

function hexOf(words) {
  if (/\p{Surrogate}/u.test(words)) throw new TypeError("words with half a character");
  return Buffer.from(words, "utf8").toString("hex");
}

// Every roll as [faces, opened secret, sides]. All dice have six sides, but for draws and Mana's armies.
function* rollsOf({ seal, game, seats, entries }) {
  if (seal.drawn) yield [seal.drawn.faces, seal.drawn.opened, orderOf(seal.words.length)]; // who sits where was roll 1
  const rolls = entries.filter((entry) => "roll" in entry);
  const armies = rolls[0]?.roll.length === 66 ? 2 : 1;
  const army = [...Array(32 * armies).fill(256), ...Array(armies).fill(4)];
  let first = { aetharn: orderOf(seats.length), mana: army }[game];
  for (const entry of rolls) {
    yield [entry.roll, entry.opened, first ?? entry.roll.map(() => 6)];
    first = undefined;
  }
}

// What is wrong, in order. Only the first counts: what follows may be wrong because of it.
function* faults(record, known) {
  const { table, s0, words } = record.seal;
  if (known !== undefined && known !== s0) yield `The record's seal is ${s0}, not ${known}.`;
  if (/[\p{Cc}\p{Surrogate}]/u.test(table)) yield "The table id holds a control character.";
  const salt = sha256(["dicehall/1", table, ...words.map(hexOf)].join("\n"));
  let [number, before] = [0, s0];
  for (const [faces, opened, sides] of rollsOf(record)) {
    number++;
    if (!/^[0-9a-f]{64}$/.test(opened)) yield `Roll ${number} has no secret of 64 hex digits.`;
    const secret = Buffer.from(opened, "hex");
    if (sha256(secret).toString("hex") !== before) yield `The secret of roll ${number} is not the sealed one.`;
    const bytes = stream(secret, salt);
    const [shown, fell] = [faces, sides.map((n) => face(bytes, n))].map((dice) => JSON.stringify(dice));
    if (shown !== fell) yield `Roll ${number} shows ${shown}, but the sealed dice fell ${fell}.`;
    before = opened;
  }
  if (number === 0) yield "There are no rolls: nothing to check.";
}

try {
  const [path, known, ...more] = process.argv.slice(2);
  if (more.length > 0) throw new Error("too many arguments");
  const record = JSON.parse(readFileSync(path, "utf8"));
  if (record.dicehall !== 1) throw new Error("a version of records that is not known here");
  const fault =
    "seal" in record
      ? faults(record, known?.trim().toLowerCase()).next().value
      : "The record has no seal: nothing to check.";
  if (fault === undefined) {
    console.log("All rolls agree with", known ? "the seal you gave." : "the record itself; give the seal you saw, too.");
    console.log("Words mixed in, seat by seat (yours should be among them):", JSON.stringify(record.seal.words));
  } else {
    console.log(fault);
    process.exitCode = 4;
  }
} catch (error) {
  console.error(`usage: node check_dice.mjs RECORD.json [SEAL]\nThis cannot be read as a record: ${error}`);
  process.exitCode = 2;
}
