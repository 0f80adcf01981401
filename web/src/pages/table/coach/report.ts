/** The coach's report of a finished game: worked out by the hall, which says how far it is until it is done.
 *  Where chances are estimates a rough report comes first, with a progress below 1. */
import { get } from '../../../lib/http';
import { keepReport } from '../../../lib/keptGames';
import { language, t } from '../../../lib/language.svelte';
import type { Coached, CostlyChoice, SeatCoached } from '../../../lib/types';

const WAIT_MS = 1500; // for one answer; the hall then says how far it is
const known = new Map<string, Promise<Coached>>(); // by language and table: a finished game does not change
const latest = new Map<string, Coached>(); // by the same, while it is worked out
const watchers = new Map<string, Set<(soFar: Coached) => void>>();

/** The report; `hear` is given what there is of it until it is done: its progress, and perhaps a rough one. */
export function reportOf(table: string, hear: (soFar: Coached) => void = () => {}): Promise<Coached> {
  const key = `${language.code} ${table}`;
  const watching = watchers.get(key) ?? new Set();
  watchers.set(key, watching.add(hear));
  const soFar = latest.get(key);
  if (soFar) hear(soFar);
  const report = known.get(key) ?? load(table, key);
  known.set(key, report);
  report.catch(() => known.delete(key)); // what failed can be asked for again
  return report.finally(() => watching.delete(hear));
}

/** The report that was asked for already; null where nobody did, or there is none. */
export const askedReport = (table: string): Promise<Coached | null> =>
  (known.get(`${language.code} ${table}`) ?? Promise.resolve(null)).catch(() => null);

async function load(table: string, key: string): Promise<Coached> {
  try {
    for (;;) {
      const report = await get<Coached>(`/api/tables/${table}/coach?wait_ms=${WAIT_MS}`);
      if (report.progress >= 1) {
        void keepReport(table, report); // where its game is kept
        return report;
      }
      latest.set(key, report);
      [...(watchers.get(key) ?? [])].forEach((hear) => hear(report));
    }
  } finally {
    latest.delete(key);
  }
}

/** One sentence about my game, as soon as there is one, and again if a finer report says something else. */
export async function coachHeadline(table: string, seat: number, tell: (headline: string) => void): Promise<void> {
  const hear = (report: Coached): void => {
    const headline = report.seats[seat]?.yours.headline;
    if (headline) tell(headline);
  };
  await reportOf(table, hear).then(hear, () => {}); // where there is none, whatever the reason, nothing is said
}

/** Whose game is told first: mine, or for those who watched the winner's. */
export function firstOf(report: Coached, me: number | null): SeatCoached | null {
  const best = [...report.seats].sort((one, other) => other.result - one.result)[0] ?? null;
  return (me === null ? best : report.seats[me]) ?? best;
}

/** A chance in whole percents; neither impossible nor certain ones are told as 0 or 100. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return t('under 1 %');
  if (chance < 1 && chance > 0.995) return t('over 99 %');
  return `${Math.round(chance * 100)} %`;
}

/** What a choice cost, in points of winning chance: what lies between the two chances as they are told beside it. */
export function costOf({ chance, best_chance: best, loss }: Pick<CostlyChoice, 'chance' | 'best_chance' | 'loss'>): string {
  const whole = best ? Math.round(best.chance * 100) - Math.round(chance.chance * 100) : Math.round(loss * 100);
  return whole < 1 ? t('less than a point // of chance') : t('{n} {n:point|points} // of chance', { n: whole });
}

/** The course of a chance in one sentence, for those who cannot see the graph. */
export function courseOf(report: Coached, seat: number): string {
  const chances = report.graph.map((point) => point.chances[seat] ?? 0);
  if (!chances.length) return t('Nothing changed anyone’s chances in this game.');
  const start = report.seats[seat]?.start ?? 0;
  const [low, high] = [Math.min(start, ...chances), Math.max(start, ...chances)];
  const said = { start: percent(start), low: percent(low), high: percent(high), end: percent(chances.at(-1)!) };
  return t('The chance to win starts at {start}, is {low} at its lowest and {high} at its highest, and ends at {end}.', said);
}
