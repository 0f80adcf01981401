/** A bot's name without its level, which does not fit everywhere. */
import type { SeatShown } from '../lib/types';

export const shortName = (seat: SeatShown): string => {
  const name = seat.name ?? `Seat ${seat.seat + 1}`;
  return seat.account === null ? name.replace(/ \([^)]*\)$/, '') : name;
};
