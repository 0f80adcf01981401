/** The dice that lie on a table, from what the hall told. */
import { t } from '../lib/language.svelte';
import type { RollCheck } from '../lib/seal';
import type { BoardTable } from '../lib/board';

/** Dice that were set aside together, and what for. */
export interface Group {
  faces: number[];
  points: number;
}

/** The last roll of six-sided dice; draws of an order have other sides. */
export const lastRoll = (table: BoardTable): RollCheck | undefined =>
  table.rolls.findLast((roll) => roll.sides.every((side) => side === 6));

/** The dice that lie on the felt or are in the air above it: their faces, and the update that brought them. */
export function onFelt(table: BoardTable): { faces: number[]; n: number } | null {
  const roll = lastRoll(table);
  return table.thrown ?? (roll ? { faces: [...roll.faces], n: roll.n } : null);
}

/** Whether the roll of the position is what lies on the felt: not while dice are in the air, nor after a roll that bust. */
export const isRollShown = (table: BoardTable, roll: readonly number[] | null): roll is readonly number[] =>
  table.thrown === null && table.bust === null && roll !== null;

/** The faces on the felt. A roll that bust stays there until the next one, although no position ever holds it. */
export const facesShown = (table: BoardTable, roll: readonly number[] | null): readonly (number | null)[] =>
  (isRollShown(table, roll) ? roll : onFelt(table)?.faces) ?? Array<null>(6).fill(null);

/** A row of a scoring table: dice or words, and what they are worth. */
export interface ScoreRow {
  faces?: number[];
  note?: string;
  points: string;
}

/** The most that faces are worth together, by those faces in order: '111' is worth 1000. */
export type FaceWorths = ReadonlyMap<string, number>;

const inOrder = (faces: readonly number[]): string => [...faces].sort().join('');

/** What the hall says of each choice of dice, by their faces. */
export function worthOfFaces(scored: readonly Group[]): FaceWorths {
  const worths = new Map<string, number>();
  for (const { faces, points } of scored) worths.set(inOrder(faces), Math.max(points, worths.get(inOrder(faces)) ?? 0));
  return worths;
}

/** The faces that remain without some of them; null where these are not all among them. */
function without(faces: string, some: string): string | null {
  let rest = faces;
  for (const face of some) {
    if (!rest.includes(face)) return null;
    rest = rest.replace(face, '');
  }
  return rest;
}

/** The smallest sets that are worth as much as all of these faces together: '1555' is '1' and '555'. */
function setsIn(faces: string, worths: FaceWorths): string[] {
  for (const [part, points] of worths) {
    const rest = without(faces, part);
    if (rest && points + (worths.get(rest) ?? -Infinity) >= worths.get(faces)!) return [...setsIn(part, worths), ...setsIn(rest, worths)];
  }
  return [faces];
}

/** What a die brings. A set has its points on its first die only, so that nobody adds them up; they are said of each. */
export interface DieWorth {
  badge: string; // "+100", "all 3: 200", or nothing
  said: string;
}

/** What each die on the felt brings, by its place; `null` stands for a die that is set aside. */
export function worthByPlace(loose: readonly (number | null)[], worths: FaceWorths): Map<number, DieWorth> {
  const found = new Map<number, DieWorth>();
  const mark = (faces: string, set: string): void => {
    const [n, points] = [set.length, worths.get(set)!];
    const said = n === 1 ? t('worth {points}', { points }) : t('all {n} together worth {points}', { n, points });
    const places = [...faces].map((face) => {
      const at = loose.findIndex((one, place) => String(one) === face && !found.has(place));
      found.set(at, { badge: '', said });
      return at;
    });
    found.set(Math.min(...places), { badge: n === 1 ? `+${points}` : t('all {n}: {points}', { n, points }), said });
  };
  const best = [...worths].sort(([a, most], [b, more]) => more - most || b.length - a.length)[0]?.[0];
  if (best === undefined) return found;
  for (const set of setsIn(best, worths)) mark(set, set);
  // Dice that score only in a larger set, which is worth less: the pair beside four 1s makes three pairs.
  const other = inOrder(loose.filter((face, at): face is number => face !== null && !found.has(at)));
  const larger = leastWith(other, worths);
  if (other && larger) mark(other, larger);
  return found;
}

/** The fewest dice that score and have these faces among them. */
const leastWith = (faces: string, worths: FaceWorths): string | undefined =>
  [...worths.keys()].filter((set) => without(set, faces) !== null).sort((a, b) => a.length - b.length)[0];

/** Why the chosen dice do not score, and what would: "Keep all three 2s to score." */
export function lackOf(chosen: readonly number[], loose: readonly (number | null)[], worths: FaceWorths): string {
  const least = leastWith(inOrder(chosen), worths) ?? '';
  const [face, ...others] = new Set(without(least, inOrder(chosen)) ?? '');
  const needed = [...least].filter((one) => one === face).length;
  if (face && others.length === 0 && needed === 3) {
    const all = loose.filter((one) => String(one) === face).length === 3;
    return all ? t('Keep all three {face}s to score.', { face }) : t('Keep at least three {face}s to score.', { face });
  }
  return least.length === 6 ? t('Keep all six dice to score.') : t('These dice do not all score.');
}

/** What the clock did to somebody; on the board, for the log may be out of sight. */
export const lateCaption = (name: string, lost: number): string =>
  lost ? t('{name} ran out of time and loses {points}.', { name, points: lost }) : t('{name} ran out of time.', { name });

/** What somebody did in a turn of rolling and keeping. */
interface TurnSoFar {
  name: string;
  rolled: string; // the faces of the last roll
  kept: { faces: string; points: number } | undefined; // what was set aside last
  isRollLast: boolean; // nothing was set aside since
  banked: number | undefined; // the points of the turn
  lost: number | undefined; // by a bust
  late?: { lost: number } | undefined; // the clock ran out
}

/** "Mira keeps 5 5 for 100 and banks 350." */
export function turnCaption({ name, rolled, kept, isRollLast, banked, lost, late }: TurnSoFar): string {
  if (late) return lateCaption(name, late.lost);
  if (lost !== undefined) {
    return lost ? t('{name} rolls {faces}: bust, {points} lost.', { name, faces: rolled, points: lost }) : t('{name} rolls {faces}: bust.', { name, faces: rolled });
  }
  if (banked !== undefined) {
    return kept ? t('{name} keeps {faces} for {points} and banks {banked}.', { name, ...kept, banked }) : t('{name} banks {points}.', { name, points: banked });
  }
  if (isRollLast) return t('{name} rolls {faces}.', { name, faces: rolled });
  return kept ? t('{name} keeps {faces} for {points}.', { name, ...kept }) : '';
}

export const dieOrDice = (n: number): string => t('{n} {n:die|dice}', { n });
