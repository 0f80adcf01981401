import { describe, expect, it } from 'vitest';
import type { Line } from '../../lib/story';
import { groupings, lockedOf, lockedPlaces, locksOf, placesOf, sheetOf, worthOf } from './turn';

const line = (event: string, fields: Record<string, unknown>): Line =>
  ({ n: 1, at: 0, text: '', ofGame: true, event: { event, to: null, ...fields } }) as Line;

const CHOICES = ['roll', { lock: [[1, 1, 1]] }, { lock: [[1], [1, 1]] }, { lock: [[1, 1]] }, { lock: [[1]] }];
const LOCKS = locksOf(CHOICES, [null, 1000, 300, 200, 100]);

describe('what may be locked', () => {
  it('has the points that the hall told', () => {
    expect(LOCKS.map((lock) => lock.points)).toEqual([1000, 300, 200, 100]);
    expect(worthOf(LOCKS, [1, 1])).toBe(200);
  });
  it('can be grouped in every way the hall listed, the best first', () => {
    expect(groupings(LOCKS, [1, 1, 1]).map((lock) => lock.points)).toEqual([1000, 300]);
    expect(groupings(LOCKS, [1, 2])).toEqual([]);
  });
});

describe('where dice lie', () => {
  it('locked faces are the first such dice of the roll', () => {
    expect([...lockedPlaces([1, 5, 1, 3], [[1], [5]])]).toEqual([0, 1]);
  });
  it('more of them are found among the others', () => {
    expect(placesOf([1, 5, 1, 1], new Set([0]), [1, 1])).toEqual([2, 3]);
  });
});

describe('the story of a turn', () => {
  const locked = (faces: number[], points: number, left: number): Line =>
    line('Locked', { seat: 0, subsets: [faces], points, turn_points: points, dice_left: left });

  it('keeps what was locked until the turn ends', () => {
    const story = [line('TurnStarted', { seat: 0 }), locked([1], 100, 5), line('Rolled', { seat: 0 }), locked([5], 50, 4)];
    expect(lockedOf(story).map((group) => group.points)).toEqual([100, 50]);
    expect(lockedOf([...story, line('TurnStarted', { seat: 1 })])).toEqual([]);
  });
  it('begins anew with six dice', () => {
    const story = [locked([1, 1, 1, 1, 1, 1], 8000, 0), line('Rolled', { seat: 0 })];
    expect(lockedOf(story)).toEqual([]);
  });
});

it('the score sheet has what each seat earned in each round', () => {
  const story = [
    line('Yielded', { seat: 0, points: 1000, score: 1000 }),
    line('Busted', { seat: 1, lost: 0 }),
    line('RoundStarted', { round: 1 }),
    line('Yielded', { seat: 0, points: 50, score: 1050 }),
  ];
  expect(sheetOf(story, 2)).toEqual([
    [{ text: '+1000', total: 1000, lost: false }, { text: 'bust', total: 0, lost: true }],
    [{ text: '+50', total: 1050, lost: false }, null],
  ]);
});
