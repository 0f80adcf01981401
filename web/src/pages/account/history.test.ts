import { describe, expect, it } from 'vitest';
import type { EndingShown } from '../../lib/types';
import { listed } from '../../lib/names';
import { ANY, isFiltered, ordinal, outcome, queryOf, rate } from './history';

const result = (account: string, place: number, won: boolean) => ({ seat: 0, name: account.toUpperCase(), account, bot: null, place, won, score: 0 });
const ending = (...results: EndingShown['results']): EndingShown => ({ table: 't', game: 'wards', at: 0, reason: '', rounds: null, rated: true, continued: false, results });

describe('how a game went', () => {
  it('is said for two', () => {
    const game = ending(result('a', 1, true), result('b', 2, false));
    expect([outcome(game, 'a'), outcome(game, 'b')]).toEqual(['won against B', 'lost to A']);
  });
  it('is said for three', () => {
    const game = ending(result('a', 1, true), result('b', 2, false), result('c', 3, false));
    expect(outcome(game, 'c')).toBe('3rd of 3, behind A and B');
  });
  it('is said for a shared first place', () => {
    expect(outcome(ending(result('a', 1, false), result('b', 1, false)), 'a')).toBe('shared first place with B');
  });
});
describe('small words', () => {
  it('are right at the eleventh', () => expect([1, 2, 3, 4, 11, 21].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '21st']));
  it('join names', () => expect(listed(['A', 'B', 'C'])).toBe('A, B and C'));
  it('say nothing of no games', () => expect(rate({ played: 0, won: 0 })).toBe('–'));
});

describe('a choice of games', () => {
  it('is asked for by what was chosen only', () => {
    expect(queryOf(ANY, 2)).toBe('page=2');
    expect(queryOf({ game: 'wards', outcome: 'lost', against: 'bots', days: 1 }, 0, 86_400_500)).toBe('page=0&game=wards&outcome=lost&against=bots&since=500');
  });
  it('is one where anything was chosen', () => expect([ANY, { ...ANY, days: 7 }].map(isFiltered)).toEqual([false, true]));
});
