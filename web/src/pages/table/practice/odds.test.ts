import { expect, it } from 'vitest';
import type { Advice } from '../../../lib/table.svelte';
import { oddsOf } from './odds';

const advice = (...worths: Advice['worths']): Advice => ({ situation: '', best: 'roll', best_words: 'Roll', worths, note: 'exact' });

it('choices that read the same are told once, the best first', () => {
  const odds = oddsOf(advice(
    { move: { hold: [0] }, words: 'Keep 5 for 50', chance: 0.6, stderr: 0 },
    { move: { hold: [1] }, words: 'Keep 5 for 50', chance: 0.6, stderr: 0 },
    { move: 'bank', words: 'Bank 300', chance: 0.5, stderr: 0 },
  ));
  expect(odds.map(({ words, best }) => [words, best])).toEqual([['Keep 5 for 50', true], ['Bank 300', false]]);
});

it('an estimate says how far off it may be', () => {
  expect(oddsOf(advice({ move: 'roll', words: 'Roll', chance: 0.2, stderr: 0.016 }))[0]!.error).toBe(3);
});

it('choices with a place on the board are listed as they lie there, all of them', () => {
  const worths = [5, 0, 7, 2, 1, 3].map((pick, i) => ({ move: { pick }, words: `Unit ${pick + 1}`, chance: 0.9 - i / 10, stderr: 0 }));
  const odds = oddsOf(advice(...worths), (move) => (move as { pick: number }).pick);
  expect(odds.map(({ words }) => words)).toEqual(['Unit 1', 'Unit 2', 'Unit 3', 'Unit 4', 'Unit 6', 'Unit 8']);
  expect(odds.filter(({ best }) => best).map(({ words }) => words)).toEqual(['Unit 6']);
});
