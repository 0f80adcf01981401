/** What the hall tells of a player. */
import { listed } from '../../lib/names';
import type { CountShown, EndingShown } from '../../lib/types';

export const PAGE = 20; // as many as the hall answers at once

/** How it went for somebody: "won against Bo" or "2nd of 3, behind Ann". */
export function outcome(ending: EndingShown, account: string): string {
  const mine = ending.results.find((result) => result.account === account);
  const others = ending.results.filter((result) => result !== mine);
  const names = listed(others.map((result) => result.name));
  if (!mine) return names;
  if (mine.won) return `won against ${names}`;
  const ahead = others.filter((result) => result.place < mine.place).map((result) => result.name);
  if (!ahead.length) return `shared first place with ${listed(others.filter((one) => one.place === mine.place).map((one) => one.name))}`;
  return ending.results.length === 2 ? `lost to ${names}` : `${ordinal(mine.place)} of ${ending.results.length}, behind ${listed(ahead)}`;
}

export function ordinal(number: number): string {
  const last = number % 100;
  const ending = last > 10 && last < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

export const rate = (count: CountShown): string => (count.played ? `${Math.round((100 * count.won) / count.played)} %` : '–');

export const day = (at: number): string => new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
