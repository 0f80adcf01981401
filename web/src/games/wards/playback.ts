/** Dice Wards, event by event, for a page that follows somebody else's turn. */
import { t } from '../../lib/language.svelte';
import type { GamePlayback } from '../../lib/playback';
import type { EventTold } from '../../lib/types';
import type { View } from './view';

const other = (seat: unknown): number[] => [1 - (seat as number)];

function fold(view: View, event: EventTold): View {
  const seat = event['seat'] as number;
  switch (event.event) {
    case 'Rolled':
      return { ...view, turn: [seat], last_roll: event['face'] as number, round_score: event['round_score'] as number };
    case 'Lost':
      return { ...view, turn: other(seat), round_score: 0 };
    case 'Held':
      return { ...view, turn: other(seat), round_score: 0, scores: view.scores.with(seat, event['score'] as number) };
    default:
      return view;
  }
}

function caption(events: readonly EventTold[], names: readonly string[]): string {
  const last = events.at(-1)?.event === 'Won' ? events.at(-2) : events.at(-1);
  const name = names[last?.['seat'] as number] ?? '';
  if (last?.event === 'Lost') return last['points'] ? t('{name} rolls a 1 and loses {points}.', { name, points: last['points'] as number }) : t('{name} rolls a 1.', { name });
  if (last?.event === 'Held' && last['in_time'] === false) return t('{name} ran out of time and banks {points}.', { name, points: last['points'] as number });
  if (last?.event === 'Held') return t('{name} holds {points} and has {score}.', { name, points: last['points'] as number, score: last['score'] as number });
  if (last?.event !== 'Rolled') return '';
  const turn = events.slice(events.findLastIndex((event) => event.event !== 'Rolled') + 1);
  const faces = turn.map((event) => event['face'] as number);
  if (faces.length < 2) return t('{name} rolls a {face}.', { name, face: faces[0]! });
  return t('{name} rolls {faces}, then {face}: {points} on the pile.', { name, faces: faces.slice(-8, -1).join(', '), face: faces.at(-1)!, points: last['round_score'] as number });
}

export const playback: GamePlayback<View> = {
  start: (later) => ({ ...later, scores: later.scores.map(() => 0), round_score: 0, last_roll: null, turn: [0] }),
  begins: () => false, // who holds or loses passes the die, and nothing more is told
  fold,
  caption,
  isLate: (event) => event.event === 'Held' && event['in_time'] === false,
  bust: (event) => (event.event === 'Lost' ? (event['points'] as number) : null),
};
