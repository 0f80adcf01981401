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

/** "+100" for a die that scores alone, "×3 +400" for one that needs two others. */
export const worthLabel = (dice: number, points: number): string => (dice === 1 ? `+${points}` : `×${dice} +${points}`);

/** What holding a die brings: alone, or in the smallest group that it belongs to. */
export function groupWorth(holds: readonly { dice: number[]; points: number }[], at: number): string | undefined {
  const own = holds.filter((hold) => hold.dice.includes(at));
  if (own.length === 0) return undefined;
  const least = own.reduce((best, hold) => (hold.dice.length < best.dice.length ? hold : best));
  return worthLabel(least.dice.length, least.points);
}

/** What somebody did in a turn of rolling and keeping. */
interface TurnSoFar {
  name: string;
  rolled: string; // the faces of the last roll
  kept: { faces: string; points: number } | undefined; // what was set aside last
  isRollLast: boolean; // nothing was set aside since
  banked: number | undefined; // the score after it
  lost: number | undefined; // by a bust
}

/** "Mira keeps 5 5 for 100 and banks: 2200." */
export function turnCaption({ name, rolled, kept, isRollLast, banked, lost }: TurnSoFar): string {
  if (lost !== undefined) {
    return lost ? t('{name} rolls {faces}: bust, {points} lost.', { name, faces: rolled, points: lost }) : t('{name} rolls {faces}: bust.', { name, faces: rolled });
  }
  if (banked !== undefined) {
    return kept ? t('{name} keeps {faces} for {points} and banks: {score}.', { name, ...kept, score: banked }) : t('{name} and banks: {score}.', { name, score: banked });
  }
  if (isRollLast) return t('{name} rolls {faces}.', { name, faces: rolled });
  return kept ? t('{name} keeps {faces} for {points}.', { name, ...kept }) : '';
}

export const dieOrDice = (n: number): string => t('{n} {n:die|dice}', { n });
