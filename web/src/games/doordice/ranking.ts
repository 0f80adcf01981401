/** Why somebody stands where they stand (D9): points, then hit points, then rounds as fallen, then a die. */
import { t } from '../../lib/language.svelte';
import type { View } from './view';

type Numbers = Pick<View, 'hp' | 'vp' | 'fallen_rounds'>;

/** What puts one seat before another; '' where nothing does. */
export function because(view: Numbers, ahead: number, behind: number): string {
  const at = (list: readonly number[]): [number, number] => [list[ahead] ?? 0, list[behind] ?? 0];
  const [[vp, vpBehind], [hp, hpBehind], [fallen, fallenBehind]] = [at(view.vp), at(view.hp), at(view.fallen_rounds)];
  if (vp !== vpBehind) return '';
  if (hp !== hpBehind) return t('same VP, more HP: {a} to {b}', { a: signless(hp), b: signless(hpBehind) });
  if (fallen !== fallenBehind) return t('same VP and HP, fewer rounds as a ghost: {a} to {b}', { a: fallen, b: fallenBehind });
  return t('tied on everything: decided by a die roll');
}

const signless = (number: number): string => String(number).replace('-', '−');

/** Everybody, best first; equals share a place. The final die is the hall's to tell. */
export function rankingOf({ hp, vp, fallen_rounds }: Numbers): number[][] {
  const ahead = (a: number, b: number): number => vp[b]! - vp[a]! || hp[b]! - hp[a]! || fallen_rounds[a]! - fallen_rounds[b]!;
  const groups: number[][] = [];
  for (const seat of [...vp.keys()].sort(ahead)) {
    const last = groups.at(-1);
    if (last && ahead(last[0]!, seat) === 0) last.push(seat);
    else groups.push([seat]);
  }
  return groups;
}

export interface Row {
  seat: number;
  place: number; // from 1; equals share it
  level: boolean; // with others, so they share the place
  note: string; // what parts them from the next, who have the same points
}

/** Everybody in order, with what parted those who have the same points. */
export function rows(view: Numbers & Pick<View, 'ranking'>): Row[] {
  return view.ranking.flatMap((group, i) => {
    const place = view.ranking.slice(0, i).flat().length + 1;
    const next = view.ranking[i + 1]?.[0];
    const parted = next === undefined ? '' : because(view, group[0]!, next);
    const level = group.length > 1;
    return group.map((seat, at) => ({ seat, place, level, note: at < group.length - 1 ? '' : parted }));
  });
}
