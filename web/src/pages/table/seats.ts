/** What a seat shows beside its name, read from whatever the game's view has. */
import { t } from '../../lib/language.svelte';
import { levelOf } from '../../lib/levels';
import type { SeatShown, TableShown } from '../../lib/types';

export interface Standing {
  text: string; // "2350", "3 VP · 14 HP", "2 won"
  score: number | null; // on the way to a goal, where there is one
  goal: number | null;
  stake: number; // what is not safe yet, of who is on turn
}

type View = Record<string, unknown>;
const at = (list: unknown, seat: number): number | null =>
  Array.isArray(list) && typeof list[seat] === 'number' ? (list[seat] as number) : null;
const whole = (value: unknown): number => (typeof value === 'number' ? value : 0);

export function standingOf(view: View | null, seat: number, onTurn: boolean): Standing | null {
  if (!view) return null;
  const [score, hp, vp, wins] = ['scores', 'hp', 'vp', 'wins'].map((name) => at(view[name], seat));
  if (score !== null && score !== undefined) {
    const stake = onTurn ? whole(view['round_score'] ?? view['turn_points']) : 0;
    return { text: String(score), score, goal: typeof view['goal'] === 'number' ? view['goal'] : null, stake };
  }
  if (typeof hp === 'number' && typeof vp === 'number') return { text: t('{vp} VP · {hp} HP', { vp, hp: String(hp).replace('-', '−') }).replace(/(\d) (?=\p{L})/gu, '$1\u00a0'), score: null, goal: null, stake: 0 };
  return typeof wins === 'number' ? { text: t('{n} won', { n: wins }), score: null, goal: null, stake: 0 } : null;
}

/** Whether a seat is out of the game, in a word. */
export function fateOf(view: View | null, seat: number): string {
  const out = view?.['out'] as Record<string, string> | undefined;
  const fate = out?.[String(seat)] ?? '';
  return { folded: t('folded'), removed: t('removed') }[fate] ?? fate;
}

/** A bot's level as people read it: "Casual bot". */
export const levelName = (seat: SeatShown): string =>
  seat.asked_level && seat.asked_level !== seat.level
    ? t('{bot} ({asked} is not available with these rules)', { bot: levelOf(seat.level ?? '').bot, asked: levelOf(seat.asked_level).name })
    : levelOf(seat.level ?? seat.bot ?? '').bot;

export const isBot = (seat: SeatShown): boolean => seat.name !== null && seat.account === null;
export const stoodInFor = (seat: SeatShown): boolean => seat.account !== null && seat.bot !== null;

/** The seats in the order of play, where the game draws one. */
export function inOrder(shown: TableShown): SeatShown[] {
  const order = shown.view?.['order'] as number[] | null | undefined;
  return order ? order.map((seat) => shown.seats[seat]!).filter(Boolean) : shown.seats;
}
