/** What there is to say about a game that is over: who won by how much, the best turn, and a streak. */
import { t } from '../../lib/language.svelte';
import type { Line } from '../../lib/story';
import type { EndingShown, TableShown } from '../../lib/types';

/** The scores of all seats, where the game has points. */
const scoresOf = (shown: TableShown): number[] | null =>
  (shown.view?.['scores'] ?? shown.view?.['vp'] ?? shown.view?.['wins'] ?? null) as number[] | null;

const leads = (n: number): [field: string, lead: string][] => [
  ['scores', t('{n} {n:point|points}', { n })],
  ['vp', t('{n} VP', { n })],
  ['wins', t('{n} {n:round|rounds}', { n })],
];

/** "You win!", "Mira wins", "It’s a draw", "Nobody wins". */
export function titleOf(shown: TableShown, names: readonly string[], me: number | null): string {
  const first = shown.over?.places[0] ?? [];
  if (first.length === 1) return first[0] === me ? t('You win!') : t('{name} wins', { name: names[first[0]!]! });
  return first.length > 1 ? t('It’s a draw') : t('Nobody wins');
}

/** "2–2 in rounds; Mira wins on damage, 61–57": a match of Mana with equal rounds, which only damage decides. */
function tieBreakOf({ over, view }: TableShown, names: readonly string[], me: number | null): string {
  const [wins, damage] = [view?.['wins'], view?.['damage']] as (number[] | undefined)[];
  if (!wins || !damage || wins[0] !== wins[1]) return '';
  if (over?.reason === 'draw') return t('{n}–{n} in rounds, and {damage} damage each', { n: wins[0]!, damage: damage[0]! });
  const winner = over?.reason === 'rounds' ? over.places[0]?.[0] : undefined;
  if (winner === undefined) return '';
  const score = { best: wins[0]!, next: wins[1]!, dealt: damage[winner]!, taken: damage[1 - winner]! };
  return winner === me
    ? t('{best}–{next} in rounds; you win on damage, {dealt}–{taken}', score)
    : t('{best}–{next} in rounds; {name} wins on damage, {dealt}–{taken}', { ...score, name: names[winner]! });
}

/** "109–85, by 24 points" for two; "24 points ahead of Mira" for more; '' where nobody won by points. */
export function marginOf(shown: TableShown, names: readonly string[], me: number | null = null): string {
  const [first, second] = shown.over?.places ?? [];
  const tieBreak = tieBreakOf(shown, names, me);
  if (tieBreak) return tieBreak;
  const scores = scoresOf(shown);
  if (!scores || first?.length !== 1 || !second?.length) return '';
  const [best, next] = [scores[first[0]!] ?? 0, scores[second[0]!] ?? 0];
  const [, lead] = leads(best - next).find(([field]) => field in (shown.view ?? {}))!;
  if (best <= next) return '';
  return names.length === 2 ? t('{best}–{next}, by {lead}', { best, next, lead }) : t('{lead} ahead of {name}', { lead, name: names[second[0]!]! });
}

/** Why a game ended whatever the score: somebody ran out of time in a match of Mana, or everybody left. */
export function whyUnplayed({ over, phase }: TableShown, story: readonly Line[]): string {
  const late = story.findLast((line) => line.event.event === 'TimeRanOut')?.text;
  if (over?.reason === 'forfeit') return late ?? '';
  return over?.places.length === 0 ? (late ?? (phase === 'abandoned' ? t('Everyone left, so nobody wins.') : '')) : '';
}

/** What a turn earned, in the words of each game. */
const EARNED: Record<string, string> = { Held: 'points', PointsScored: 'points_this_turn', Yielded: 'points' };

/** "Best turn: 1450 (Mira)". */
export function bestTurnOf(story: readonly Line[], names: readonly string[], me: number | null): string {
  let best = { points: 0, seat: -1 };
  for (const { event } of story) {
    const points = Number(event[EARNED[event.event] ?? ''] ?? 0);
    if (points > best.points) best = { points, seat: (event['seat'] ?? event['player']) as number };
  }
  const who = best.seat === me ? t('you') : (names[best.seat] ?? '');
  return best.points > 0 ? t('Best turn: {points} ({who})', { points: best.points, who }) : '';
}

/** "3 wins in a row" from somebody's newest games first; '' for fewer than two. Games that were played on count for nothing. */
export function streakOf(history: readonly EndingShown[], account: string, game: string): string {
  const mine = history.filter((ending) => ending.game === game && !ending.continued).map((ending) => ending.results.find((one) => one.account === account));
  const end = mine.findIndex((result) => !result?.won);
  const wins = end < 0 ? mine.length : end;
  return wins > 1 ? t('{n} wins in a row', { n: wins }) : '';
}
