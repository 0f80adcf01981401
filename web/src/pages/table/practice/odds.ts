/** The odds of each choice, as a person reads them. */
import type { BoardModule } from '../../../lib/board';
import type { Advice, Move } from '../../../lib/table.svelte';

export interface Odds {
  move: Move;
  words: string;
  chance: number;
  best: boolean;
  error: number; // points, give or take; 0 where the chance is exact
}

const SHOWN = 5; // choices, from the best down; all of them where each has a place on the board

/** One line for each choice that differs for people: two dice with the same face are one choice. */
export function oddsOf(advice: Advice, placeOf?: BoardModule['placeOf']): Odds[] {
  const named = new Set<string>();
  const different = advice.worths.filter(({ move, words }) => move !== 'fold' && !named.has(words) && named.add(words)); // to give up is no plan
  const best = different[0]?.chance ?? 0;
  const listed = placeOf ? different.toSorted((a, b) => placeOf(a.move) - placeOf(b.move)) : different.slice(0, SHOWN);
  return listed.map(({ move, words, chance, stderr }) => ({
    move,
    words,
    chance,
    best: chance === best,
    error: stderr > 0 ? Math.max(1, Math.round(200 * stderr)) : 0,
  }));
}
