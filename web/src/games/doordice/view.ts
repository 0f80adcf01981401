/** The position as the hall shows it, and the moves it takes. */
import type { SeatShown } from '../../lib/types';

export interface View {
  hp: number[];
  vp: number[];
  round: number;
  fallen_rounds: number[];
  last_targets: (number | null)[];
  face: number | null;
  effects: string[];
  targets: number[];
  ranking: number[][];
  last_round: number;
}

export interface Choose {
  choose: { effect: string; target?: number | null };
}

export const choicesOf = (choices: readonly unknown[]): Choose['choose'][] =>
  choices.flatMap((move) => (typeof move === 'object' && move && 'choose' in move ? [(move as Choose).choose] : []));

/** A bot's name without its level, which does not fit everywhere. */
export const shortName = (seat: SeatShown): string => {
  const name = seat.name ?? `Seat ${seat.seat + 1}`;
  return seat.account === null ? name.replace(/ \([^)]*\)$/, '') : name;
};
