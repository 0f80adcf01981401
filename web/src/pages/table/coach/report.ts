/** The coach's report of a finished game: worked out by the hall, which says how far it is until it is done. */
import { get } from '../../../lib/http';
import type { Coached, SeatCoached } from '../../../lib/types';

const WAIT_MS = 1500; // for one answer; the hall then says how far it is
const known = new Map<string, Promise<Coached>>(); // by table: a finished game does not change
const watchers = new Map<string, Set<(progress: number) => void>>();

/** The report; `progress` hears how much of it is done, from 0 to 1. */
export function reportOf(table: string, progress: (done: number) => void = () => {}): Promise<Coached> {
  const watching = watchers.get(table) ?? new Set();
  watchers.set(table, watching.add(progress));
  const report = known.get(table) ?? load(table);
  known.set(table, report);
  report.catch(() => known.delete(table)); // what failed can be asked for again
  return report.finally(() => watching.delete(progress));
}

async function load(table: string): Promise<Coached> {
  for (;;) {
    const report = await get<Coached>(`/api/tables/${table}/coach?wait_ms=${WAIT_MS}`);
    if (report.progress >= 1) return report;
    watchers.get(table)?.forEach((tell) => tell(report.progress));
  }
}

/** One sentence about my game; null where there is none, whatever the reason. */
export async function coachHeadline(table: string, seat: number | null): Promise<string | null> {
  try {
    const report = await reportOf(table);
    return (seat === null ? null : report.seats[seat]?.yours.headline) ?? null;
  } catch {
    return null;
  }
}

/** Whose game is told first: mine, or for those who watched the winner's. */
export function firstOf(report: Coached, me: number | null): SeatCoached | null {
  const best = [...report.seats].sort((one, other) => other.result - one.result)[0] ?? null;
  return (me === null ? best : report.seats[me]) ?? best;
}

/** A chance in whole percents; neither impossible nor certain ones are told as 0 or 100. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return 'under 1 %';
  if (chance < 1 && chance > 0.995) return 'over 99 %';
  return `${Math.round(chance * 100)} %`;
}

/** What a choice cost, in points of winning chance. */
export function points(share: number): string {
  const whole = Math.round(share * 100);
  if (whole < 1) return 'less than a point';
  return whole === 1 ? '1 point' : `${whole} points`;
}

/** The course of a chance in one sentence, for those who cannot see the graph. */
export function courseOf(report: Coached, seat: number): string {
  const chances = report.graph.map((point) => point.chances[seat] ?? 0);
  if (!chances.length) return 'Nothing changed the chances in this game.';
  const [low, high] = [Math.min(...chances), Math.max(...chances)];
  return `The chance to win starts at ${percent(report.seats[seat]?.start ?? 0)}, is ${percent(low)} at its lowest and ${percent(high)} at its highest, and ends at ${percent(chances.at(-1)!)}.`;
}
