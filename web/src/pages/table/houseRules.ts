/** House rules and keys in words for people. */
import { t } from '../../lib/language.svelte';
import type { GameShown } from '../../lib/types';

const names = (): Record<string, string> => ({
  goal: t('Points to win'),
  opening: t('Points to open'),
  turn_seconds: t('Turn clock'),
  round_seconds: t('Round clock'),
  match_seconds: t('Match clock'),
  grace_seconds: t('Reconnect time'),
  hot_dice: t('Hot-dice rerolls per turn'),
  hp: t('Starting HP'),
  rounds: t('Rounds'),
  same_army: t('Same army for both'),
  fight_once: t('Each unit fights once'),
  elimination_vp: t('VP per knockout'),
  survival_vp: t('VP per round survived'),
});

/** Rules that are on (1) or off (0). */
export const SWITCHES = ['same_army', 'fight_once'];

const plainly = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

export const ruleName = (name: string): string => names()[name] ?? plainly(name);

export function ruleValue(name: string, value: number | null): string {
  if (value === null) return t('none');
  if (SWITCHES.includes(name)) return value === 1 ? t('yes') : t('no');
  if (name.endsWith('_seconds')) return value % 60 === 0 && value > 60 ? t('{n} minutes', { n: value / 60 }) : t('{n} seconds', { n: value });
  return String(value);
}

/** The rules of a table that are not the usual ones, in one line; empty if there are none. */
export function changedRules(rules: Record<string, number | null>, game: GameShown | null): string {
  const changed = Object.entries(rules).filter(([name, value]) => game?.rules[name] && game.rules[name].default !== value);
  const text = ([name, value]: [string, number | null]): string =>
    `${ruleName(name)}: ${t('{value} instead of {usual}', { value: ruleValue(name, value), usual: ruleValue(name, game?.rules[name]?.default ?? null) })}`;
  return changed.length === 0 ? '' : t('House rules: {rules}', { rules: changed.map(text).join(' · ') });
}

type KeyList = [key: string, what: string][];

/** What each key does, for the games that are played with keys. */
const keys = (): Record<string, KeyList> => ({
  wards: [
    ['r', t('roll')],
    ['h', t('hold')],
  ],
  aetharn: [
    ['1 – 6', t('pick a die')],
    ['a', t('pick the best dice')],
    ['r', t('keep the picked dice and roll')],
    ['b', t('keep the picked dice and bank')],
    ['f', t('fold')],
  ],
  tenthousand: [
    ['1 – 6', t('pick a die')],
    ['a', t('pick the best dice')],
    ['r', t('keep the picked dice and roll')],
    ['b', t('keep the picked dice and bank')],
  ],
  doordice: [
    ['r', t('roll')],
    ['1 – 5', t('pick a target by seat')],
  ],
  mana: [
    ['1 – 8', t('pick a unit')],
    ['s', t('send it in secret')],
  ],
});

export const gamesWithKeys = (): string[] => Object.keys(keys());

export const keysOf = (game: string): KeyList => keys()[game] ?? [];

/** The keys of every table. */
export const keysAnywhere = (): KeyList => [
  ['?', t('show the rules')],
  ['k', t('show keys on the buttons')],
];
