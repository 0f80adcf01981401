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

/** The events of the update that brought a roll. */
export const told = (table: LiveTable, n: number | undefined): string[] =>
  table.story.filter((line) => line.n === n).map((line) => line.event.event);

export const dieOrDice = (count: number): string => (count === 1 ? '1 die' : `${count} dice`);
