/** The page's own check of the dice: by the seal and the words it kept from before sitting down, and nothing else. */
import { t } from './language.svelte';
import { hmac, joined, sha256, type Bytes } from './sha256';

const utf8 = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;

export const hexOf = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const bytesOf = (hex: string): Bytes => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export const randomHex = (bytes: number): string => hexOf(crypto.getRandomValues(new Uint8Array(bytes)));

/** Characters that cannot be seen or that turn the direction of reading; the hall refuses words with them. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;

/** What a seat brings: what its person typed, as far as it can be seen, and 32 random hex digits. */
export const fullWords = (typed: string): string => typed.replace(INVISIBLE, '').normalize('NFC') + randomHex(16);

export const commitment = (words: string): string => hexOf(sha256(utf8(`dicehall/words\n${words}`)));

export function saltOf(table: string, words: readonly string[]): Bytes {
  return sha256(utf8(['dicehall/1', table, ...words.map((seat) => hexOf(utf8(seat)))].join('\n')));
}

/** The faces that follow from an opened secret. */
export function facesOf(secret: Bytes, salt: Bytes, sides: readonly number[]): number[] {
  const stream = streamOf(secret, salt);
  return sides.map((n) => face(stream, n));
}

function* streamOf(secret: Bytes, salt: Bytes): Generator<number, never> {
  for (let number = 0; ; number++) {
    const block = new Uint8Array(4);
    new DataView(block.buffer).setUint32(0, number);
    yield* hmac(secret, joined(salt, block));
  }
}

/** One die; values that would favour the low faces are dropped. */
function face(stream: Generator<number, never>, sides: number): number {
  const values = sides <= 256 ? 256 : 65_536;
  for (;;) {
    const first = stream.next().value;
    const value = values === 256 ? first : first * 256 + stream.next().value;
    if (value < values - (values % sides)) return (value % sides) + 1;
  }
}

export interface Roll {
  sides: readonly number[];
  faces: readonly number[];
  opened: string | null;
}

/** One roll with what its check found. */
export interface RollCheck extends Roll {
  number: number; // of the table, from 1
  n: number; // the update it came with
  before: string; // the secret of the roll before it, or the seal
  fair: boolean;
  why: string; // what is wrong, or ''
  linked: boolean; // whether what was opened belongs to what came before
  fell: readonly number[] | null; // the faces as worked out here, where that can be done
  words: readonly string[]; // that were mixed in, seat by seat
  mine: number; // where my own are among them, or -1
  isSealed?: boolean; // of a daily challenge, whose secret is opened the day after: nothing was checked
}

/** The dice of one table, watched from its seal on. */
export class DiceWatch {
  private salt: Bytes | null = null;
  private mixed: readonly string[] = [];
  private before: string;
  private rolls = 0;
  readonly table: string;
  readonly seal: string; // as it was shown before sitting down
  readonly words: string | null; // what I brought, if anything

  constructor(table: string, seal: string, words: string | null) {
    [this.table, this.seal, this.words] = [table, seal, words];
    this.before = seal;
  }

  /** The game starts, and all words are known. Says what is wrong, or ''. */
  begin(words: readonly string[]): string {
    this.salt = saltOf(this.table, words);
    this.mixed = words;
    const mine = this.words === null || words.includes(this.words);
    return mine ? '' : t('Your words were not mixed into these dice.');
  }

  check(roll: Roll, n: number): RollCheck {
    const [number, before] = [++this.rolls, this.before];
    const secret = /^[0-9a-f]{64}$/.test(roll.opened ?? '') ? bytesOf(roll.opened!) : null;
    const linked = secret !== null && hexOf(sha256(secret)) === before;
    const fell = secret && this.salt && facesOf(secret, this.salt, roll.sides);
    const why = this.fault(roll, secret, linked, fell);
    if (roll.opened) this.before = roll.opened;
    const mine = this.words === null ? -1 : this.mixed.indexOf(this.words);
    return { ...roll, number, n, before, fair: why === '', why, linked, fell, words: this.mixed, mine };
  }

  private fault(roll: Roll, secret: Bytes | null, linked: boolean, fell: number[] | null): string {
    if (!this.salt) return t('The start of this game is unknown, so there is nothing to check against.');
    if (!secret || !fell) return t('This roll’s secret is missing.');
    if (!linked) return t('This secret is not the one that was sealed.');
    if (fell.length === 0) return t('The roll does not say what kind of dice it used.');
    const same = fell.length === roll.faces.length && fell.every((face, i) => face === roll.faces[i]);
    return same ? '' : t('The sealed dice were {fell}, but {shown} was shown.', { fell: fell.join(' '), shown: roll.faces.join(' ') });
  }
}
