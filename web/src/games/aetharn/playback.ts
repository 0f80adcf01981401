/** Aetharn, event by event, for a page that follows somebody else's turn. */
import { t } from '../../lib/language.svelte';
import type { GamePlayback } from '../../lib/playback';
import type { EventTold } from '../../lib/types';
import { turnCaption } from '../rolls';
import type { View } from './turn';

const FRESH = { turn_points: 0, roll: null, held: [], dice_left: 6, must_hold: false, hot_dice_used: 0 };

function fold(view: View, event: EventTold): View {
  const player = event['player'] as number;
  switch (event.event) {
    case 'GameStarted':
      return { ...view, order: event['players'] as number[] };
    case 'TurnStarted':
      return { ...view, ...FRESH, turn: [player] };
    case 'DiceRolled':
      return rolled(view, event['dice_values'] as number[]);
    case 'DiceHeld':
      return held(view, event);
    case 'PointsScored':
      return { ...view, scores: view.scores.with(player, event['total_score'] as number) };
    case 'TurnEnded':
      return { ...view, ...FRESH, turn: [] };
    case 'PlayerFolded':
      return { ...view, out: { ...view.out, [player]: 'folded' } };
    case 'PlayerRemoved':
      return { ...view, out: { ...view.out, [player]: 'removed' } };
    default:
      return view;
  }
}

const rolled = (view: View, roll: number[]): View => ({
  ...view,
  roll,
  held: [],
  dice_left: roll.length,
  must_hold: true,
  hot_dice_used: view.hot_dice_used + (view.dice_left === 0 ? 1 : 0),
});

/** An event names the faces that are held: of equal dice the first ones that lie loose. */
function held(view: View, event: EventTold): View {
  const places = [...view.held];
  for (const face of event['held_dice_values'] as number[]) {
    const at = (view.roll ?? []).findIndex((one, i) => one === face && !places.includes(i));
    if (at >= 0) places.push(at);
  }
  const turn_points = view.turn_points + (event['points_from_held'] as number);
  return { ...view, held: places.sort(), turn_points, dice_left: event['remaining_dice_count'] as number, must_hold: false };
}

function caption(events: readonly EventTold[], names: readonly string[], onTurn?: number): string {
  const at = (name: string): EventTold | undefined => events.findLast((event) => event.event === name);
  const name = names[(at('TurnStarted')?.['player'] as number | undefined) ?? onTurn ?? -1] ?? '';
  const [roll, hold, scored, lost, late] = [at('DiceRolled'), at('DiceHeld'), at('PointsScored'), at('PlayerBusted'), at('TurnTimedOut')];
  const last = events.findLast(({ event }) => event !== 'TurnEnded' && event !== 'TurnSkipped');
  if (last?.event === 'PlayerFolded') return t('{name} folds.', { name: names[last['player'] as number] ?? '' });
  const faces = (event: EventTold | undefined, field: string): string => ((event?.[field] as number[] | undefined) ?? []).join(' ');
  return turnCaption({
    name,
    rolled: faces(roll, 'dice_values'),
    kept: hold && { faces: faces(hold, 'held_dice_values'), points: hold['points_from_held'] as number },
    isRollLast: roll !== undefined && (!hold || events.indexOf(roll) > events.indexOf(hold)),
    banked: scored?.['points_this_turn'] as number | undefined,
    lost: lost?.['lost_points'] as number | undefined,
    late: late && { lost: late['lost_points'] as number },
  });
}

export const playback: GamePlayback<View> = {
  start: (later) => ({ ...later, ...FRESH, scores: later.scores.map(() => 0), order: null, out: {}, turn: [] }),
  begins: (event) => event.event === 'TurnStarted',
  fold,
  caption,
  isLate: (event) => event.event === 'TurnTimedOut',
  bust: (event) => (event.event === 'PlayerBusted' ? (event['lost_points'] as number) : null),
};
