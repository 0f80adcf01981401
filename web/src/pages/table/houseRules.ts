/** House rules and keys in words for people. */
const NAMES: Record<string, string> = {
  goal: 'Points to win',
  opening: 'Least first points',
  turn_seconds: 'Clock',
  round_seconds: 'Clock of a round',
  match_seconds: 'Clock of the match',
  grace_seconds: 'Reconnect time',
  hot_dice: 'Hot-dice rerolls per turn',
  hp: 'HP at the start',
  rounds: 'Rounds',
  same_army: 'Same army for both',
  fight_once: 'Each unit fights once',
  elimination_vp: 'VP for felling somebody',
  survival_vp: 'VP for a round survived',
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
    ['1 – 6', 'choose a die'],
    ['a', 'choose the dice worth most'],
    ['r', 'hold what is chosen and roll on'],
    ['b', 'hold what is chosen and bank'],
    ['f', 'fold'],
  ],
  tenthousand: [
    ['1 – 6', 'choose a die'],
    ['a', 'choose the dice worth most'],
    ['r', 'lock what is chosen and roll on'],
    ['b', 'lock what is chosen and yield'],
  ],
  doordice: [
    ['r', 'roll'],
    ['1 – 5', 'choose whom, by seat'],
  ],
  mana: [
    ['1 – 8', 'look at a unit of yours'],
    ['s', 'send it in secret'],
  ],
};
