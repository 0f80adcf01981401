import { expect, test } from 'vitest';
import type { Line } from '../../lib/story';
import type { EndingShown, TableShown } from '../../lib/types';
import { bestTurnOf, marginOf, streakOf, titleOf, whyUnplayed } from './result';

const over = (places: number[][], view: Record<string, unknown>, reason = 'goal'): TableShown =>
  ({ over: { places, reason }, view }) as unknown as TableShown;
const line = (event: Record<string, unknown>): Line => ({ event }) as unknown as Line;
const ended = (game: string, won: boolean): EndingShown => ({ game, results: [{ account: 'ann', won }] }) as unknown as EndingShown;

test('two players read the score and the margin, more read who is behind', () => {
  expect(marginOf(over([[1], [0]], { scores: [85, 109] }), ['Ann', 'Mira'])).toBe('109–85, by 24 points');
  expect(marginOf(over([[1], [0], [2]], { vp: [4, 5, 1] }), ['Ann', 'Mira', 'Otis'])).toBe('1 VP ahead of Ann');
  expect(marginOf(over([[0], [1]], { wins: [3, 2] }), ['Ann', 'Mira'])).toBe('3–2, by 1 round');
});

test('no margin is claimed where nobody won by points', () => {
  expect(marginOf(over([[0, 1]], { scores: [5, 5] }), ['Ann', 'Mira'])).toBe('');
  expect(marginOf(over([[0], [1]], { scores: [0, 300] }), ['Ann', 'Mira'])).toBe(''); // the other one folded
  expect(marginOf(over([], { scores: [5, 5] }), ['Ann', 'Mira'])).toBe('');
});

test('a match of Mana that the clock ended says who ran out of time', () => {
  const story = [{ event: { event: 'TimeRanOut' }, text: 'Time ran out in round 1: Ann did not act.' }] as unknown as Line[];
  expect(whyUnplayed(over([[1], [0]], {}, 'forfeit'), story)).toBe('Time ran out in round 1: Ann did not act.');
  expect(whyUnplayed(over([], {}, 'abandoned'), story)).toBe('Time ran out in round 1: Ann did not act.');
  expect(whyUnplayed(over([[1], [0]], {}, 'rounds'), story)).toBe('');
  expect(whyUnplayed(over([[1], [0]], {}, 'forfeit'), [])).toBe('');
});

test('equal rounds of Mana say how the match was decided', () => {
  const even = { wins: [2, 2], damage: [57, 61] };
  expect(marginOf(over([[1], [0]], even, 'rounds'), ['Ann', 'Otis'], 0)).toBe('2–2 in rounds; Otis wins on damage, 61–57');
  expect(marginOf(over([[1], [0]], even, 'rounds'), ['Ann', 'Otis'], 1)).toBe('2–2 in rounds; you win on damage, 61–57');
  expect(marginOf(over([[0, 1]], { wins: [2, 2], damage: [61, 61] }, 'draw'), ['Ann', 'Otis'], 0)).toBe('2–2 in rounds, and 61 damage each');
  expect(marginOf(over([[1], [0]], even, 'forfeit'), ['Ann', 'Otis'], 0)).toBe(''); // damage decided nothing
  expect(marginOf(over([], even, 'abandoned'), ['Ann', 'Otis'], 0)).toBe('');
});

test('the title says who won, also when nobody did', () => {
  expect(titleOf(over([[0], [1]], {}), ['Ann', 'Mira'], 0)).toBe('You win!');
  expect(titleOf(over([[1], [0]], {}), ['Ann', 'Mira'], 0)).toBe('Mira wins');
  expect(titleOf(over([[0, 1]], {}), ['Ann', 'Mira'], 0)).toBe('It’s a draw');
  expect(titleOf(over([], {}), ['Ann', 'Mira'], 0)).toBe('Nobody wins');
});

test('the best turn is the one that earned most, whatever the game calls it', () => {
  const story = [line({ event: 'Held', seat: 0, points: 20 }), line({ event: 'PointsScored', player: 1, points_this_turn: 450 }), line({ event: 'Rolled', seat: 0 })];
  expect(bestTurnOf(story, ['Ann', 'Mira'], 0)).toBe('Best turn: 450 (Mira)');
  expect(bestTurnOf(story.slice(0, 1), ['Ann', 'Mira'], 0)).toBe('Best turn: 20 (you)');
  expect(bestTurnOf([], ['Ann'], 0)).toBe('');
});

test('a streak counts the newest wins of this game', () => {
  const games = [ended('wards', true), ended('mana', false), ended('wards', true), ended('wards', false), ended('wards', true)];
  expect(streakOf(games, 'ann', 'wards')).toBe('2 wins in a row');
  expect(streakOf(games.slice(2), 'ann', 'wards')).toBe('');
});

test('a game that was played on from another one neither lengthens a streak nor ends it', () => {
  const continued = (won: boolean) => ({ ...ended('wards', won), continued: true });
  expect(streakOf([continued(true), ended('wards', true), ended('wards', false)], 'ann', 'wards')).toBe('');
  expect(streakOf([ended('wards', true), continued(false), ended('wards', true)], 'ann', 'wards')).toBe('2 wins in a row');
});
