/** Dice 10 000, event by event, for a page that follows somebody else's turn. */
import type { GamePlayback } from '../../lib/playback';
import type { EventTold } from '../../lib/types';
import { turnCaption } from '../rolls';
import type { View } from './turn';

const FRESH = { turn_points: 0, roll: null, locked: [], dice_left: 6, must_lock: false };

function fold(view: View, event: EventTold): View {
  const seat = event['seat'] as number;
  switch (event.event) {
    case 'RoundStarted':
      return { ...view, round: event['round'] as number };
    case 'TurnStarted':
      return { ...view, ...FRESH, turn: [seat] };
    case 'Rolled': {
      const roll = event['faces'] as number[];
      return { ...view, roll, locked: [], dice_left: roll.length, must_lock: true };
    }
    case 'Locked': {
      const locked = [...view.locked, ...(event['subsets'] as number[][])];
      return { ...view, locked, turn_points: event['turn_points'] as number, dice_left: event['dice_left'] as number, must_lock: false };
    }
    case 'Yielded':
      return { ...view, ...FRESH, turn: [], scores: view.scores.with(seat, event['score'] as number) };
    case 'Busted':
    case 'TimedOut':
      return { ...view, ...FRESH, turn: [] };
    default:
      return view;
  }
}

function caption(events: readonly EventTold[], names: readonly string[]): string {
  const at = (name: string): EventTold | undefined => events.findLast((event) => event.event === name);
  const [roll, lock, kept, lost, late] = [at('Rolled'), at('Locked'), at('Yielded'), at('Busted'), at('TimedOut')];
  const name = names[(roll ?? lock ?? kept ?? lost ?? late)?.['seat'] as number] ?? '';
  const faces = ((roll?.['faces'] as number[] | undefined) ?? []).join(' ');
  return turnCaption({
    name,
    rolled: faces,
    kept: lock && { faces: (lock['subsets'] as number[][]).flat().join(' '), points: lock['points'] as number },
    isRollLast: roll !== undefined && (!lock || events.indexOf(roll) > events.indexOf(lock)),
    banked: kept?.['points'] as number | undefined,
    lost: lost?.['lost'] as number | undefined,
    late: late && { lost: late['lost'] as number },
  });
}

export const playback: GamePlayback<View> = {
  start: (later) => ({ ...later, ...FRESH, scores: later.scores.map(() => 0), round: 0, turn: [0] }),
  begins: (event) => event.event === 'TurnStarted',
  fold,
  caption,
  isLate: (event) => event.event === 'TimedOut',
  bust: (event) => (event.event === 'Busted' ? (event['lost'] as number) : null),
};
