/** A turn of Aetharn as the page shows it; what dice are worth is the hall's to say. */
import { t } from '../../lib/language.svelte';
import type { Bust, Move } from '../../lib/table.svelte';
import type { Group, ScoreRow } from '../rolls';
import type { Line } from '../../lib/story';
import type { TableShown } from '../../lib/types';

export interface View {
  scores: number[];
  order: number[] | null;
  turn_points: number;
  roll: number[] | null;
  held: number[];
  dice_left: number;
  must_hold: boolean;
  hot_dice_used: number;
  hot_dice: number;
  goal: number;
  turn: number[];
  out: Record<string, string>;
}

/** What scores, as the table beside the dice says it. */
export const scoring = (): ScoreRow[] => [
  { faces: [1], points: '100' },
  { faces: [5], points: '50' },
  { faces: [1, 1, 1], points: '1000' },
  { faces: [2, 2, 2], points: '200', note: t('3s 300 … 6s 600') },
  { note: t('Four, five, six of a kind'), points: '×2, ×4, ×8' },
  { faces: [1, 2, 3, 4, 5, 6], points: '1500' },
  { note: t('Three pairs'), points: '1500' },
];

/** A hold that the hall allows, with its points. */
export interface Hold {
  dice: number[];
  key: string;
  points: number;
}

/** The holds among my choices, the best first. */
export function holdsOf(choices: readonly Move[], points: readonly (number | null)[]): Hold[] {
  return choices.flatMap((move, i) => {
    const dice = (move as { hold?: number[] } | null)?.hold;
    return dice ? [{ dice, key: [...dice].sort().join(), points: points[i] ?? 0 }] : [];
  });
}

/** What was set aside in the turn that runs, hold by hold; all six free again after hot dice. */
export function heldOf(story: readonly Line[]): Group[] {
  let groups: Group[] = [];
  let left = 6;
  for (const { event } of story) {
    if (event.event === 'TurnStarted' || (event.event === 'DiceRolled' && left === 0)) groups = [];
    if (event.event === 'TurnStarted' || event.event === 'DiceRolled') left = 6;
    if (event.event !== 'DiceHeld') continue;
    groups.push({ faces: event['held_dice_values'] as number[], points: event['points_from_held'] as number });
    left = event['remaining_dice_count'] as number;
  }
  return groups;
}

export interface Moment {
  view: View;
  shown: TableShown;
  names: string[];
  turn: number | undefined;
  me: number | null;
  myTurn: boolean;
  bust: Bust | null;
  lack: string; // why the chosen dice do not score
  hold: Hold | undefined;
  spectator: boolean;
}

/** The status line: what just happened, or what is to be done. */
export function statusOf({ view, shown, names, turn, me, myTurn, bust, lack, hold }: Moment): string {
  if (shown.over) return '';
  if (bust) return bust.seat === me ? t('Nothing scores: you bust.') : t('Nothing scores: {name} busts.', { name: names[bust.seat ?? 0]! });
  if (turn === undefined) return t('Everyone is away. The first to return plays next.');
  if (shown.phase === 'asleep') return t('The game is paused.');
  if (!myTurn) return t('{name} is playing.', { name: names[turn] ?? '' });
  return mine(view, lack, hold, view.scores[turn] ?? 0);
}

function mine(view: View, lack: string, hold: Hold | undefined, safe: number): string {
  if (view.roll === null) return t('Roll the six dice.');
  if (lack) return lack;
  const left = view.dice_left - (hold?.dice.length ?? 0);
  if (view.must_hold && !hold) return t('Pick dice to keep, then roll again or bank.');
  const would = safe + view.turn_points + (hold?.points ?? 0);
  if (would >= view.goal) return t('Bank now to win with {score}.', { score: would });
  if (left === 0 && view.hot_dice_used < view.hot_dice) return t('Hot dice! Roll all six again and keep your points, or bank.');
  if (left === 0) return t('All six dice are kept: bank your points.');
  return left === 1 ? t('Roll the last die, or bank.') : t('Roll the other {n}, or bank.', { n: left });
}
