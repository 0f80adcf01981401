/** The dice of a whole record, checked in this browser. It knows no rules: what was rolled and the end are as the record states them. */
import { parseStrictly } from './json';
import { checkChallenge } from './challengeDice';
import { t } from './language.svelte';
import { DiceWatch, type Roll, type RollCheck } from './seal';

export interface RecordSeal {
  table: string;
  s0: string;
  words: string[];
  drawn?: { faces: number[]; opened: string } | null;
  challenge?: string | null; // the day of a daily challenge
  opened?: string | null; // its secret, once it is opened
}

export interface RecordEntry {
  roll?: number[];
  sides?: number[] | null;
  opened?: string;
  seat?: number;
  attend?: string;
}

export interface GameRecord {
  dicehall: number;
  game: string;
  seats: string[];
  seal: RecordSeal;
  origins?: { entries: number; seal: RecordSeal }[] | null; // games it was continued from
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

/** A record that can be read, but without a seal there is nothing to check. */
export class Unsealed extends Unreadable {}

const FIRST_GAMES = ['wards', 'aetharn', 'doordice', 'tenthousand', 'mana']; // recorded before sides were written down
const KINDS = ['roll', 'move', 'expired', 'attend'];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((text) => typeof text === 'string');
const areWhole = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isInteger);

export function readRecord(text: string): GameRecord {
  const record = parsed(text);
  if (!isObject(record) || record.dicehall !== 1 || typeof record.game !== 'string' || !areNames(record.seats) || !areEntries(record.entries)) {
    throw new Unreadable(t('This is JSON, but not a Dicehall game record.'));
  }
  if (!areOrigins(record.origins ?? [], record.entries as unknown[])) throw new Unreadable(t('The origins of this record can’t be read.'));
  if ((record.seal ?? null) === null) throw new Unsealed(t('This record has no seal, so its dice can’t be checked.'));
  if (!isSeal(record.seal)) throw new Unreadable(t('The seal of this record can’t be read.'));
  return checkEntries(record as unknown as GameRecord);
}

function checkEntries(record: GameRecord): GameRecord {
  if (isDaily(record.seal) && !areSeated(record)) throw new Unreadable(t('This is JSON, but not a Dicehall game record.'));
  if (!areSidesKnown(record)) throw new Unreadable(t('The roll does not say what kind of dice it used.'));
  return record;
}

function parsed(text: string): unknown {
  try {
    return parseStrictly(text);
  } catch {
    throw new Unreadable(t('This is not JSON. Download a record at the end of a game and choose that file.'));
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
  return isObject(seal) && areTexts([seal.table, seal.s0, seal.challenge ?? '', seal.opened ?? '']) && areTexts(seal.words);
}

/** In a record of a daily challenge every move names its seat: dice are counted by turns. */
function areSeated({ entries, seats }: GameRecord): boolean {
  const isSeat = (seat: unknown): boolean => areWhole([seat]) && Object.keys(seats).includes(String(seat));
  return entries.every((entry) => entry.roll !== undefined || isSeat(entry.seat));
}

const isDaily = ({ challenge }: RecordSeal): boolean => (challenge ?? null) !== null;

/** Whether rolls may leave out their sides, as older records do. */
const isOlder = ({ game, seal }: GameRecord): boolean => FIRST_GAMES.includes(game) && !isDaily(seal);

const areSidesKnown = (record: GameRecord): boolean =>
  isOlder(record) || record.entries.every((entry) => entry.roll === undefined || (entry.sides ?? null) !== null);

const isDay = ({ challenge, words }: RecordSeal): boolean => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(challenge ?? '') && words.every((text) => text === '');

/** Check every roll; `known` is the seal as somebody saw it before the game, where they noted it. */
export function checkRecord(record: GameRecord, known = ''): RecordCheck {
  const parts = partsOf(record);
  const rolls = parts.flatMap((part) => checkPart(record, part));
  const bad = rolls.find((roll) => !roll.fair);
  const none = rolls.length === 0 ? t('No dice were rolled in this record, so there is nothing to check.') : '';
  const why = wrongHeader(record, known) || wrongOrigins(record) || (bad ? t('Roll {n}: {why}', { n: bad.number, why: bad.why }) : none) || wrongEnd(record);
  return { record, rolls, why, over: (record.end ?? null) !== null };
}

interface Part {
  seal: RecordSeal;
  begin: number; // the entries that were rolled with it
  end: number;
}

/** Every seal with its entries: those of games it was continued from, then its own. */
function partsOf({ origins, seal, entries }: GameRecord): Part[] {
  const ends = [...(origins ?? []), { entries: entries.length, seal }];
  return ends.map((part, i) => ({ seal: part.seal, begin: ends[i - 1]?.entries ?? 0, end: part.entries }));
}

function checkPart(record: GameRecord, part: Part): RollCheck[] {
  if (isDaily(part.seal)) return checkChallenge(record, rollsOf(record, part));
  const watch = new DiceWatch(part.seal.table, part.seal.s0, null);
  watch.begin(part.seal.words);
  return rollsOf(record, part).map((roll, i) => watch.check(roll, i));
}

function wrongOrigins({ origins, ...record }: GameRecord): string {
  const seals = (origins ?? []).map(({ seal }) => seal);
  if ([record.seal, ...seals].some(isDaily) && seals.length > 0) return t('A daily challenge is never continued.');
  return seals.map((seal) => wrongHeader({ ...record, seal }, '')).find((why) => why !== '') ?? '';
}

function areOrigins(origins: unknown, entries: readonly unknown[]): boolean {
  const good = (origin: unknown, before: number): boolean =>
    isObject(origin) && areWhole([origin.entries]) && before <= (origin.entries as number) && (origin.entries as number) <= entries.length && isSeal(origin.seal);
  return Array.isArray(origins) && origins.every((origin, i) => good(origin, i === 0 ? 0 : (origins[i - 1] as { entries: number }).entries));
}

function wrongHeader({ seal, seats }: GameRecord, known: string): string {
  if (!/^[0-9a-f]{64}$/.test(seal.s0)) return t('The seal of this record is not 64 hex digits in lower case.');
  if (known !== '' && known !== seal.s0) return t('This record’s seal is not the one you saw.');
  if (/\p{Cc}/u.test(seal.table)) return t('The table id contains a control character.');
  if (isDaily(seal) && !isDay(seal)) return t('This record does not name the day of its challenge.');
  if (isDaily(seal) && (seal.drawn ?? null) !== null) return t('The seats of a challenge are not drawn.');
  const count = seal.words.length;
  return count === seats.length ? '' : t('The seal has words for {count} seats, but {seats} play.', { count, seats: seats.length });
}

function wrongEnd({ end = null, entries }: GameRecord): string {
  if (end === null || (isObject(end) && end.entries === entries.length)) return '';
  return t('The record has {count} entries, but says otherwise at its end.', { count: entries.length });
}

const orderOf = (seats: number): number[] => Array.from({ length: Math.max(0, seats - 1) }, (_, i) => seats - i);

function rollsOf(record: GameRecord, { seal, begin, end }: Part): Roll[] {
  const rolls = [...record.entries.entries()].filter(([, entry]) => entry.roll !== undefined);
  const played = rolls.map(([at, entry], i): [number, Roll] => [at, rollOf(entry.roll, entry.opened, entry.sides ?? sidesBefore(record, i, entry))]);
  const mine = played.filter(([at]) => begin <= at && at < end).map(([, roll]) => roll);
  const drawn = seal.drawn ?? null;
  return drawn === null ? mine : [rollOf(drawn.faces, drawn.opened, orderOf(seal.words.length)), ...mine];
}

/** What a record holds may be anything: dice that are not whole numbers are no dice, and then they do not match. */
function rollOf(faces: unknown, opened: unknown, sides: unknown): Roll {
  const good = areWhole(sides) && sides.every((n) => n >= 1 && n <= 65_536);
  return { sides: good ? sides : [], faces: areWhole(faces) ? faces : [], opened: typeof opened === 'string' ? opened : null };
}

/** Records made before sides were written down: six, but for Aetharn's order and Mana's armies. */
function sidesBefore(record: GameRecord, index: number, { roll = [] }: RecordEntry): number[] {
  const { game, seats } = record;
  if (!isOlder(record)) return [];
  if (index === 0 && game === 'aetharn') return orderOf(seats.length);
  const armies = roll.length === 66 ? 2 : 1; // both sides may have the same one
  if (index === 0 && game === 'mana') return [...Array<number>(32 * armies).fill(256), ...Array<number>(armies).fill(4)];
  return roll.map(() => 6);
}
