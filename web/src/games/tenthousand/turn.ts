/** A turn of Dice 10 000 as the page shows it; which groups there are and what they are worth is the hall's to say. */
import { t } from '../../lib/language.svelte';
import type { Move } from '../../lib/table.svelte';
import type { Group, ScoreRow } from '../rolls';
import type { Line } from '../../lib/story';

export interface View {
  scores: number[];
  round: number;
  turn_points: number;
  roll: number[] | null;
  locked: number[][];
  dice_left: number;
  must_lock: boolean;
  goal: number;
  turn: number[];
  opening: number;
}

/** What scores, as the table beside the dice says it. */
export const scoring = (): ScoreRow[] => [
  { faces: [1], points: '100' },
  { faces: [5], points: '50' },
  { faces: [1, 1, 1], points: '1000' },
  { faces: [2, 2, 2], points: '200', note: t('3s 300 … 6s 600') },
  { note: t('Four, five, six of a kind'), points: '×2, ×4, ×8' },
  { note: t('Five or six 4s'), points: '1800, 3600' },
];

/** A lock that the hall allows: its groups, and what they are worth together. */
export interface Lock {
  subsets: number[][];
  faces: string; // of all its dice, sorted
  points: number;
}

const sorted = (faces: readonly number[]): string => [...faces].sort().join('');

/** The locks among my choices, the best first. */
export function locksOf(choices: readonly Move[], points: readonly (number | null)[]): Lock[] {
  return choices.flatMap((move, i) => {
    const subsets = (move as { lock?: number[][] } | null)?.lock;
    return subsets ? [{ subsets, faces: sorted(subsets.flat()), points: points[i] ?? 0 }] : [];
  });
}

/** Every way to group exactly these dice. */
export const groupings = (locks: readonly Lock[], faces: readonly number[]): Lock[] =>
  locks.filter((lock) => lock.faces === sorted(faces));

/** What one group alone is worth: there is a lock of nothing else. */
export const worthOf = (locks: readonly Lock[], subset: readonly number[]): number =>
  locks.find((lock) => lock.subsets.length === 1 && lock.faces === sorted(subset))?.points ?? 0;

/** Which dice of the roll are locked: for each locked face the first such die. */
export function lockedPlaces(roll: readonly number[], locked: readonly number[][]): Set<number> {
  const places = new Set<number>();
  for (const face of locked.flat()) {
    const at = roll.findIndex((one, i) => one === face && !places.has(i));
    if (at >= 0) places.add(at);
  }
  return places;
}

/** The places of these faces among the loose dice. */
export function placesOf(roll: readonly number[], taken: ReadonlySet<number>, faces: readonly number[]): number[] {
  const places: number[] = [];
  for (const face of faces) {
    const at = roll.findIndex((one, i) => one === face && !taken.has(i) && !places.includes(i));
    if (at >= 0) places.push(at);
  }
  return places;
}

/** What was locked in the turn that runs, lock by lock; all six free again after the sixth. */
export function lockedOf(story: readonly Line[]): Group[] {
  let groups: Group[] = [];
  let left = 6;
  for (const { event } of story) {
    if (event.event === 'TurnStarted' || (event.event === 'Rolled' && left === 0)) groups = [];
    if (event.event === 'TurnStarted' || event.event === 'Rolled') left = 6;
    if (event.event !== 'Locked') continue;
    groups.push({ faces: (event['subsets'] as number[][]).flat(), points: event['points'] as number });
    left = event['dice_left'] as number;
  }
  return groups;
}

export interface Cell {
  text: string;
  total: number;
  lost: boolean; // nothing earned: a bust, or no time left
}

/** The score sheet: for each round what each seat earned, and had then. */
export function sheetOf(story: readonly Line[], seats: number): (Cell | null)[][] {
  const sheet: (Cell | null)[][] = [];
  const totals = Array<number>(seats).fill(0);
  let round = 0;
  const write = (seat: number, text: string, lost = false): void => {
    sheet[round] ??= Array<null>(seats).fill(null);
    sheet[round]![seat] = { text, total: totals[seat]!, lost };
  };
  for (const { event } of story) {
    if (event.event === 'RoundStarted') round = event['round'] as number;
    if (event.event === 'Yielded') {
      totals[event['seat'] as number] = event['score'] as number;
      write(event['seat'] as number, `+${event['points'] as number}`);
    }
    if (event.event === 'Busted') write(event['seat'] as number, t('bust'), true);
    if (event.event === 'TimedOut') write(event['seat'] as number, t('time // up'), true);
  }
  return sheet;
}
