/** The dice that lie on a table, from what the hall told. */
import type { RollCheck } from '../lib/seal';
import type { LiveTable } from '../lib/table.svelte';

/** Dice that were set aside together, and what for. */
export interface Group {
  faces: number[];
  points: number;
}

/** The last roll of six-sided dice; draws of an order have other sides. */
export const lastRoll = (table: LiveTable): RollCheck | undefined =>
  table.rolls.findLast((roll) => roll.sides.every((side) => side === 6));

/** The dice that lie on the felt or are in the air above it: their faces, and the update that brought them. */
export function onFelt(table: LiveTable): { faces: number[]; n: number } | null {
  const roll = lastRoll(table);
  return table.thrown ?? (roll ? { faces: [...roll.faces], n: roll.n } : null);
}

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

export const dieOrDice = (count: number): string => (count === 1 ? '1 die' : `${count} dice`);
