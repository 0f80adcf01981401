/** The dice of a whole record, checked in this browser; it knows no rules, and takes the number of dice from the record. */
import { DiceWatch, type Roll, type RollCheck } from './seal';

export interface RecordSeal {
  table: string;
  s0: string;
  words: string[];
  drawn?: { faces: number[]; opened: string };
}

export interface GameRecord {
  dicehall: number;
  game: string;
  seats: string[];
  seal: RecordSeal;
  entries: { roll?: number[]; opened?: string }[];
}

export interface RecordCheck {
  record: GameRecord;
  rolls: RollCheck[];
  why: string; // the first thing that is wrong, or ''
}

/** What cannot be read as a record, in a sentence. */
export class Unreadable extends Error {}

export function readRecord(text: string): GameRecord {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Unreadable('This is not a record: it is not JSON. Save one at the end of a game, and choose that file.');
  }
  const record = read as Partial<GameRecord> | null;
  if (typeof record !== 'object' || record?.dicehall !== 1 || !Array.isArray(record.entries) || !Array.isArray(record.seats)) {
    throw new Unreadable('This is JSON, but not a record of a game of Dicehall.');
  }
  if (!isSeal(record.seal)) throw new Unreadable('This record has no seal, so there is nothing to hold its dice against.');
  return record as GameRecord;
}

function isSeal(seal: unknown): seal is RecordSeal {
  const { table, s0, words } = (seal ?? {}) as Partial<RecordSeal>;
  const texts = Array.isArray(words) && words.every((word) => typeof word === 'string');
  return typeof table === 'string' && typeof s0 === 'string' && texts;
}

/** Check every roll; `known` is the seal as somebody saw it before the game, where they noted it. */
export function checkRecord(record: GameRecord, known = ''): RecordCheck {
  const { table, s0, words } = record.seal;
  const watch = new DiceWatch(table, s0, null);
  watch.begin(words);
  const rolls = rollsOf(record).map((roll, i) => watch.check(roll, i));
  const other = known !== '' && known !== s0 ? 'This record has another seal than the one you saw.' : '';
  const bad = rolls.find((roll) => !roll.fair);
  const none = rolls.length === 0 ? 'No dice were rolled in this record, so there is nothing to check.' : '';
  return { record, rolls, why: other || (bad ? `Roll ${bad.number}: ${bad.why}` : none) };
}

const orderOf = (seats: number): number[] => Array.from({ length: Math.max(0, seats - 1) }, (_, i) => seats - i);

/** All dice have six sides, but for the draw of who sits where and the first roll of two games. */
function rollsOf({ seal, game, seats, entries }: GameRecord): Roll[] {
  const played = entries.filter((entry) => Array.isArray(entry?.roll));
  const armies = played[0]?.roll?.length === 66 ? 2 : 1;
  const army = [...Array<number>(32 * armies).fill(256), ...Array<number>(armies).fill(4)];
  const firsts: Record<string, number[]> = { aetharn: orderOf(seats.length), mana: army };
  const rolls = played.map(({ roll = [], opened }, i): Roll => {
    const sides = (i === 0 ? firsts[game] : undefined) ?? roll.map(() => 6);
    return { sides, faces: roll, opened: typeof opened === 'string' ? opened : null };
  });
  const drawn = seal.drawn && { ...seal.drawn, sides: orderOf(seal.words.length) };
  return drawn ? [drawn, ...rolls] : rolls;
}
