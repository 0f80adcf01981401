/** The dice of a whole record, checked in this browser. It knows no rules: what was rolled and the end are as the record states them. */
import { parseStrictly } from './json';
import { DiceWatch, type Roll, type RollCheck } from './seal';

export interface RecordSeal {
  table: string;
  s0: string;
  words: string[];
  drawn?: { faces: number[]; opened: string } | null;
}

export interface RecordEntry {
  roll?: number[];
  sides?: number[] | null;
  opened?: string;
}

export interface GameRecord {
  dicehall: number;
  game: string;
  seats: string[];
  seal: RecordSeal;
  end?: { entries: number } | null;
  entries: RecordEntry[];
}

export interface RecordCheck {
  record: GameRecord;
  rolls: RollCheck[];
  why: string; // the first thing that is wrong, or ''
  over: boolean; // whether the record states that the game is over
}

/** What cannot be read as a record, in a sentence. */
export class Unreadable extends Error {}

const KINDS = ['roll', 'move', 'expired', 'attend'];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((text) => typeof text === 'string');
const areWhole = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isInteger);

export function readRecord(text: string): GameRecord {
  const record = parsed(text);
  if (!isObject(record) || record.dicehall !== 1 || typeof record.game !== 'string' || !areNames(record.seats) || !areEntries(record.entries)) {
    throw new Unreadable('This is JSON, but not a Dicehall game record.');
  }
  if (!isSeal(record.seal)) throw new Unreadable('This record has no seal, so its dice can’t be checked.');
  return record as unknown as GameRecord;
}

function parsed(text: string): unknown {
  try {
    return parseStrictly(text);
  } catch {
    throw new Unreadable('This is not JSON. Download a record at the end of a game and choose that file.');
  }
}

const areNames = (seats: unknown): boolean => areTexts(seats) && !seats.some((name) => /\p{Cc}/u.test(name));

function areEntries(entries: unknown): boolean {
  return Array.isArray(entries) && entries.every((entry) => isObject(entry) && isEntry(entry));
}

function isEntry(entry: Record<string, unknown>): boolean {
  const kinds = KINDS.filter((kind) => kind in entry);
  return kinds.length === 1 && (kinds[0] !== 'roll' || (areWhole(entry.roll) && !('seat' in entry)));
}

function isSeal(seal: unknown): seal is RecordSeal {
  return isObject(seal) && typeof seal.table === 'string' && typeof seal.s0 === 'string' && areTexts(seal.words);
}

/** Check every roll; `known` is the seal as somebody saw it before the game, where they noted it. */
export function checkRecord(record: GameRecord, known = ''): RecordCheck {
  const { table, s0, words } = record.seal;
  const watch = new DiceWatch(table, s0, null);
  watch.begin(words);
  const rolls = rollsOf(record).map((roll, i) => watch.check(roll, i));
  const bad = rolls.find((roll) => !roll.fair);
  const none = rolls.length === 0 ? 'No dice were rolled in this record, so there is nothing to check.' : '';
  const why = wrongHeader(record, known) || (bad ? `Roll ${bad.number}: ${bad.why}` : none) || wrongEnd(record);
  return { record, rolls, why, over: (record.end ?? null) !== null };
}

function wrongHeader({ seal, seats }: GameRecord, known: string): string {
  if (!/^[0-9a-f]{64}$/.test(seal.s0)) return 'The seal of this record is not 64 hex digits in lower case.';
  if (known !== '' && known !== seal.s0) return 'This record’s seal is not the one you saw.';
  if (/\p{Cc}/u.test(seal.table)) return 'The table id holds a control character.';
  const count = seal.words.length;
  return count === seats.length ? '' : `The seal has words for ${count} seats, but ${seats.length} play.`;
}

function wrongEnd({ end = null, entries }: GameRecord): string {
  if (end === null || (isObject(end) && end.entries === entries.length)) return '';
  return `The record has ${entries.length} entries, but says otherwise at its end.`;
}

const orderOf = (seats: number): number[] => Array.from({ length: Math.max(0, seats - 1) }, (_, i) => seats - i);

function rollsOf(record: GameRecord): Roll[] {
  const { seal, entries } = record;
  const rolls = entries.filter((entry) => entry.roll !== undefined);
  const played = rolls.map((entry, i): Roll => rollOf(entry.roll, entry.opened, entry.sides ?? sidesBefore(record, i, entry)));
  const drawn = seal.drawn ?? null;
  return drawn === null ? played : [rollOf(drawn.faces, drawn.opened, orderOf(seal.words.length)), ...played];
}

/** What a record holds may be anything: dice that are not whole numbers are no dice, and then they do not match. */
function rollOf(faces: unknown, opened: unknown, sides: unknown): Roll {
  const good = areWhole(sides) && sides.every((n) => n >= 1 && n <= 65_536);
  return { sides: good ? sides : [], faces: areWhole(faces) ? faces : [], opened: typeof opened === 'string' ? opened : null };
}

/** Records made before sides were written down: six, but for Aetharn's order and Mana's armies. */
function sidesBefore({ game, seats }: GameRecord, index: number, { roll = [] }: RecordEntry): number[] {
  if (index === 0 && game === 'aetharn') return orderOf(seats.length);
  const armies = roll.length === 66 ? 2 : 1; // both sides may have the same one
  if (index === 0 && game === 'mana') return [...Array<number>(32 * armies).fill(256), ...Array<number>(armies).fill(4)];
  return ['wards', 'aetharn', 'doordice', 'tenthousand', 'mana'].includes(game) ? roll.map(() => 6) : [];
}
