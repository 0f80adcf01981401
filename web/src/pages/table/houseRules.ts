/** House rules and keys in words for people. */
const NAMES: Record<string, string> = {
  goal: 'Points to win',
  opening: 'Points to open',
  turn_seconds: 'Turn clock',
  round_seconds: 'Round clock',
  match_seconds: 'Match clock',
  grace_seconds: 'Reconnect time',
  hot_dice: 'Hot-dice rerolls per turn',
  hp: 'Starting HP',
  rounds: 'Rounds',
  same_army: 'Same army for both',
  fight_once: 'Each unit fights once',
  elimination_vp: 'VP per knockout',
  survival_vp: 'VP per round survived',
};

/** Rules that are on (1) or off (0). */
export const SWITCHES = ['same_army', 'fight_once'];

const plainly = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

export const ruleName = (name: string): string => NAMES[name] ?? plainly(name);

export function ruleValue(name: string, value: number | null): string {
  if (value === null) return 'none';
  if (SWITCHES.includes(name)) return value === 1 ? 'yes' : 'no';
  if (name.endsWith('_seconds')) return value % 60 === 0 && value > 60 ? `${value / 60} minutes` : `${value} seconds`;
  return String(value);
}

/** What each key does, for the games that are played with keys. */
export const KEYS: Record<string, [key: string, what: string][]> = {
  wards: [
    ['r', 'roll'],
    ['h', 'hold'],
  ],
  aetharn: [
    ['1 – 6', 'pick a die'],
    ['a', 'pick the best dice'],
    ['r', 'hold the picked dice and roll'],
    ['b', 'hold the picked dice and bank'],
    ['f', 'fold'],
  ],
  tenthousand: [
    ['1 – 6', 'pick a die'],
    ['a', 'pick the best dice'],
    ['r', 'keep the picked dice and roll'],
    ['b', 'keep the picked dice and bank'],
  ],
  doordice: [
    ['r', 'roll'],
    ['1 – 5', 'pick a target by seat'],
  ],
  mana: [
    ['1 – 8', 'pick a unit'],
    ['s', 'send it in secret'],
  ],
};
