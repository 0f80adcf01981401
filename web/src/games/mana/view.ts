/** The position as the hall shows it: two armies, the rounds that were fought, and who has picked. */
import { t } from '../../lib/language.svelte';

export interface Unit {
  attack: number;
  defense: number;
  health: number;
  max_health: number;
  ability: 'None' | 'Boost' | 'Shield' | 'Heal';
}

export interface Fought {
  picks: [number, number];
  damage: [number, number]; // dealt by each
  health: [number, number]; // left to each
  winner: number | null;
}

export interface View {
  round: number;
  wins: [number, number];
  damage: [number, number];
  leagues: [number, number] | null;
  units: [Unit[], Unit[]] | null;
  picked: number[];
  rounds: Fought[];
  phase: 'draw' | 'pick' | 'commit' | 'reveal' | 'over';
  picks: [number | null, number | null];
  last_round: number;
  spent: [number[], number[]]; // units that have fought and cannot be picked again
}

export interface League {
  name: string;
  bonus: string;
  hue: number;
}

const leagues = (): League[] => [
  { name: t('Fire'), bonus: t('+10 attack'), hue: 14 },
  { name: t('Ice'), bonus: t('+20 health'), hue: 205 },
  { name: t('Shadow'), bonus: t('+5 attack, +5 defense'), hue: 275 },
  { name: t('Nature'), bonus: t('+15 health, +5 defense'), hue: 135 },
];

export const leagueOf = (number: number | undefined): League => leagues().at((number ?? 0) % 4)!;

export const abilityName = (ability: Unit['ability']): string =>
  ({ None: '', Boost: t('Boost'), Shield: t('Shield'), Heal: t('Heal') })[ability];
const abilityMeaning = (ability: Unit['ability']): string =>
  ({
    None: '',
    Boost: t('doubles its attack'),
    Shield: t('takes no damage'),
    Heal: t('recovers half its health after the fight if it survives'),
  })[ability];

/** A unit as somebody reads it aloud. */
export const spoken = (unit: Unit): string => {
  const special = unit.ability === 'None' ? '' : `, ${abilityName(unit.ability)}: ${abilityMeaning(unit.ability)}`;
  return t('attack {attack}, defense {defense}, health {health}', { attack: unit.attack, defense: unit.defense, health: unit.health }) + special;
};

/** What somebody should know who is about to send a unit. */
export const about = (unit: Unit): string =>
  unit.ability === 'None' ? t('This unit has no ability.') : t('{ability}: {meaning}.', { ability: abilityName(unit.ability), meaning: abilityMeaning(unit.ability) });

/** What happened to one side of a fight, in a sentence; the numbers are the hall's. */
export function fate(fought: Fought, units: [Unit[], Unit[]], side: 0 | 1): string {
  const other = side === 0 ? 1 : 0;
  const [mine, taken, left] = [units[side][fought.picks[side]]!, fought.damage[other], fought.health[side]];
  if (left === 0) return t('took {n} and fell', { n: taken });
  const healed = left - Math.max(0, mine.health - taken);
  if (mine.ability === 'Heal' && healed > 0) return t('took {n}, healed {healed}', { n: taken, healed });
  if (mine.ability === 'Shield') return t('no damage (shield)');
  return taken === 0 ? t('no damage') : t('took {n}', { n: taken });
}
