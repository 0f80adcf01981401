/** The position as the hall shows it: two armies, the rounds that were fought, and who has picked. */
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

const LEAGUES: League[] = [
  { name: 'Fire', bonus: '+10 attack', hue: 14 },
  { name: 'Ice', bonus: '+20 health', hue: 205 },
  { name: 'Shadow', bonus: '+5 attack, +5 defense', hue: 275 },
  { name: 'Nature', bonus: '+15 health, +5 defense', hue: 135 },
];

export const leagueOf = (number: number | undefined): League => LEAGUES[(number ?? 0) % LEAGUES.length]!;

export const ABILITIES: Record<Unit['ability'], { name: string; what: string }> = {
  None: { name: 'No special', what: 'no special ability' },
  Boost: { name: 'Boost', what: 'doubles its attack' },
  Shield: { name: 'Shield', what: 'takes no damage' },
  Heal: { name: 'Heal', what: 'recovers half its health after the fight if it survives' },
};

/** A unit as somebody reads it aloud. */
export const spoken = (unit: Unit): string => {
  const special = unit.ability === 'None' ? '' : `, ${unit.ability}: ${ABILITIES[unit.ability].what}`;
  return `attack ${unit.attack}, defense ${unit.defense}, health ${unit.health}${special}`;
};

/** What happened to one side of a fight, in a sentence; the numbers are the hall's. */
export function fate(fought: Fought, units: [Unit[], Unit[]], side: 0 | 1): string {
  const other = side === 0 ? 1 : 0;
  const [mine, taken, left] = [units[side][fought.picks[side]]!, fought.damage[other], fought.health[side]];
  if (left === 0) return `took ${taken} and fell`;
  const healed = left - Math.max(0, mine.health - taken);
  if (mine.ability === 'Heal' && healed > 0) return `took ${taken}, healed ${healed}`;
  if (mine.ability === 'Shield') return 'took no damage (shield)';
  return taken === 0 ? 'took no damage' : `took ${taken}`;
}
