/** DO or DICE, event by event, for a page that follows the others round the table. */
import type { GamePlayback } from '../../lib/playback';
import type { EventTold } from '../../lib/types';
import { rankingOf } from './ranking';
import type { View } from './view';

const plus = (list: number[], seat: number, more: unknown): number[] => list.with(seat, (list[seat] ?? 0) + Number(more ?? 0));

const ranked = (view: View): View => ({ ...view, ranking: rankingOf(view) });

function fold(view: View, event: EventTold): View {
  const seat = event['seat'] as number;
  switch (event.event) {
    case 'RoundStarted':
      return { ...view, round: event['round'] as number };
    case 'Rolled':
      return { ...view, turn: [seat], face: event['face'] as number };
    case 'EffectDone':
      return done(view, event, seat);
    case 'EliminationScored':
      return { ...view, vp: view.vp.with(seat, event['vp'] as number) };
    case 'RoundEnded':
      return { ...view, vp: event['vp'] as number[], fallen_rounds: event['fallen_rounds'] as number[] };
    default:
      return view;
  }
}

function done(view: View, event: EventTold, seat: number): View {
  const whom = (event['target'] as number | null) ?? seat;
  const vp = plus(view.vp.with(whom, event['vp'] as number), seat, event['stolen']);
  return { ...view, face: null, hp: view.hp.with(whom, event['hp'] as number), vp };
}

export const playback: GamePlayback<View> = {
  start: (later, rules) => ranked({
    ...later,
    hp: later.hp.map(() => rules['hp'] ?? 20),
    vp: later.vp.map(() => 0),
    fallen_rounds: later.fallen_rounds.map(() => 0),
    face: null,
    round: 1,
    turn: [0],
  }),
  begins: () => false,
  fold: (view, event) => ranked(fold(view, event)),
  caption: () => '', // its board says what happened in the words of the game log
  surprises: ({ event }) => event === 'EffectDone',
  bust: () => null,
};
