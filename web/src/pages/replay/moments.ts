/** The moments of a game that are worth a look: where the chances turned, and what the coach says about choices. */
import type { Replay } from '../../lib/replay.svelte';
import type { Coached } from '../../lib/types';

const MOST_TURNING_POINTS = 5;
const LEAST_SWING = 0.03; // of a win; less than that turns nothing

export interface Moment {
  step: number;
  text: string;
  before: number; // the chance to win of the seat that is looked at
  after: number;
}

/** The largest swings of a seat's chance to win, in the order of the game. */
export function turningPoints(report: Coached, seat: number, replay: Pick<Replay, 'stepOf'>): Moment[] {
  let before = report.seats[seat]?.start ?? 0;
  const moments = report.graph.map((point): Moment => {
    const after = point.chances[seat] ?? 0;
    const moment = { step: replay.stepOf(point.entry), text: point.sentence, before, after };
    before = after;
    return moment;
  });
  return oneOfEachStep(moments)
    .filter((moment) => swing(moment) >= LEAST_SWING)
    .sort((one, other) => swing(other) - swing(one))
    .slice(0, MOST_TURNING_POINTS)
    .sort((one, other) => one.step - other.step);
}

/** A choice and the roll that answers it are one step: they are one moment, told by the larger swing of the two. */
function oneOfEachStep(moments: readonly Moment[]): Moment[] {
  const joined: Moment[] = [];
  for (const moment of moments) {
    const last = joined.at(-1);
    if (last?.step !== moment.step) joined.push(moment);
    else joined[joined.length - 1] = { ...(swing(moment) > swing(last) ? moment : last), before: last.before, after: moment.after };
  }
  return joined;
}

/** Where the game turned: the largest swing towards how it ended, else the largest of all; null where nothing turned it. */
export function turningPoint(moments: readonly Moment[], end = 0.5): Moment | null {
  const towards = moments.filter(({ before, after }) => (after - before) * (end - 0.5) > 0);
  return (towards.length ? towards : moments).reduce<Moment | null>((best, one) => (best === null || swing(one) > swing(best) ? one : best), null);
}

const swing = ({ before, after }: Moment): number => Math.abs(after - before);

/** A choice that the coach speaks of, at the moment when it had to be made. */
export interface CoachedChoice {
  step: number;
  text: string;
}

export function choicesOf(report: Coached, mine: number | null, replay: Pick<Replay, 'stepAt'>): CoachedChoice[] {
  const choices = report.seats.flatMap((seat) =>
    seat.costliest.map((choice) => ({ step: replay.stepAt(choice.entry), text: seat.seat === mine ? choice.yours : choice.sentence })),
  );
  return choices.sort((one, other) => one.step - other.step);
}

/** The chance of a seat after every step; a step that changed nothing has that of the step before. */
export function chancesOf(report: Coached, seat: number, replay: Pick<Replay, 'stepOf' | 'steps'>): number[] {
  const known = new Map(report.graph.map((point) => [replay.stepOf(point.entry), point.chances[seat] ?? 0]));
  let chance = report.seats[seat]?.start ?? 0;
  return replay.steps.map((_, step) => (chance = known.get(step) ?? chance));
}
