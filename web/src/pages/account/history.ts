/** What the hall tells of a player. */
import { language, t } from '../../lib/language.svelte';
import { listed } from '../../lib/names';
import type { CountShown, EndingShown } from '../../lib/types';

export const PAGE = 20; // as many as the hall answers at once

/** How it went for somebody: "won against Bo" or "2nd of 3, behind Ann". */
export function outcome(ending: EndingShown, account: string): string {
  const mine = ending.results.find((result) => result.account === account);
  const others = ending.results.filter((result) => result !== mine);
  const names = listed(others.map((result) => result.name));
  if (!mine) return names;
  if (mine.won) return t('won against {names}', { names });
  const ahead = others.filter((result) => result.place < mine.place).map((result) => result.name);
  if (!ahead.length) return t('shared first place with {names}', { names: listed(others.filter((one) => one.place === mine.place).map((one) => one.name)) });
  if (ending.results.length === 2) return t('lost to {names}', { names });
  return t('{place} of {total}, behind {names}', { place: ordinal(mine.place), total: ending.results.length, names: listed(ahead) });
}

export function ordinal(n: number): string {
  const forms = { one: t('{n}st', { n }), two: t('{n}nd', { n }), few: t('{n}rd', { n }), other: t('{n}th', { n }) };
  return forms[new Intl.PluralRules('en', { type: 'ordinal' }).select(n) as keyof typeof forms];
}

export const rate = (count: CountShown): string => (count.played ? `${Math.round((100 * count.won) / count.played)} %` : '–');

export const day = (at: number): string => new Date(at).toLocaleDateString(language.locale, { day: 'numeric', month: 'short', year: 'numeric' });

/** Which games of somebody are shown; '' is any. */
export interface Chosen {
  game: string;
  outcome: '' | 'won' | 'lost';
  against: '' | 'people' | 'bots';
  days: number; // 0: ever
}

export const ANY: Chosen = { game: '', outcome: '', against: '', days: 0 };
const DAY_MS = 86_400_000;

export const isFiltered = (chosen: Chosen): boolean => queryOf(chosen, 0) !== queryOf(ANY, 0);

/** The choice as the hall is asked for it. */
export function queryOf({ game, outcome, against, days }: Chosen, page: number, now = Date.now()): string {
  const since = days === 0 ? '' : String(now - days * DAY_MS);
  const wanted = Object.entries({ game, outcome, against, since }).filter(([, value]) => value !== '');
  return new URLSearchParams([['page', String(page)], ...wanted]).toString();
}
