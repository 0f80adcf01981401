/** The dice of a daily challenge: one secret for all of them, opened the day after, and a salt for each roll of each turn. */
import type { GameRecord } from './record';
import { t } from './language.svelte';
import { bytesOf, facesOf, hexOf, type Roll, type RollCheck } from './seal';
import { sha256, type Bytes } from './sha256';

const utf8 = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;

/** The salt of every roll, in order: it names the day, the game, the seat, its turn and the roll in that turn. */
export function saltsOf({ entries, game, seal }: GameRecord): Bytes[] {
  const turns = new Map<number, number>();
  const salts: Bytes[] = [];
  let [seat, turn, rolls] = [0, 0, 0];
  for (const entry of entries) {
    if (entry.roll !== undefined) {
      salts.push(sha256(utf8(['dicehall/challenge', seal.challenge, game, seat, turn, ++rolls].join('\n'))));
    } else if (entry.attend === undefined && (turn === 0 || entry.seat !== seat)) {
      seat = entry.seat ?? 0;
      turn = (turns.get(seat) ?? 0) + 1;
      rolls = 0;
      turns.set(seat, turn);
    }
  }
  return salts;
}

export function checkChallenge(record: GameRecord, rolls: Roll[]): RollCheck[] {
  const { s0, opened, words } = record.seal;
  const secret = /^[0-9a-f]{64}$/.test(opened ?? '') ? bytesOf(opened!) : null;
  const linked = secret !== null && hexOf(sha256(secret)) === s0;
  const salts = saltsOf(record);
  return rolls.map((roll, i) => {
    const fell = secret && salts[i] ? facesOf(secret, salts[i], roll.sides) : null;
    const why = faultOf(roll, linked, secret !== null, fell);
    return { ...roll, opened: opened ?? null, number: i + 1, n: i, before: s0, fair: why === '', why, linked, fell, words, mine: -1 };
  });
}

function faultOf(roll: Roll, linked: boolean, known: boolean, fell: number[] | null): string {
  if (!known) return t('The dice of this day have not been opened yet.');
  if (!linked) return t('This secret is not the one that was sealed.');
  if (!fell || fell.length === 0) return t('The roll does not say what kind of dice it used.');
  const same = fell.length === roll.faces.length && fell.every((face, i) => face === roll.faces[i]);
  return same ? '' : t('The sealed dice were {fell}, but {shown} was shown.', { fell: fell.join(' '), shown: roll.faces.join(' ') });
}
