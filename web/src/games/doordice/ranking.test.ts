import { expect, test } from 'vitest';
import { because, rankingOf, rows } from './ranking';
import { playback } from './playback';
import type { View } from './view';

const view = { vp: [3, 3, 1, 1, 0], hp: [12, 9, 5, 5, -2], fallen_rounds: [0, 0, 1, 0, 2] };

test('more points need no explanation', () => {
  expect(because(view, 0, 2)).toBe('');
});

test('the same points are parted by hit points, and minus stays minus', () => {
  expect(because(view, 0, 1)).toBe('same VP, more HP: 12 to 9');
  expect(because({ ...view, vp: [0, 0, 0, 0, 0], hp: [1, 0, 0, -1, -4] }, 3, 4)).toBe('same VP, more HP: −1 to −4');
});

test('then by fewer rounds as a ghost, then by the die', () => {
  expect(because(view, 3, 2)).toContain('fewer rounds as a ghost: 0 to 1');
  expect(because({ ...view, fallen_rounds: [0, 0, 0, 0, 0] }, 3, 2)).toContain('decided by a die roll');
});

test('who is level shares a place, and the next place counts them all', () => {
  const told = rows({ ...view, ranking: [[0, 1], [3], [2], [4]] });
  expect(told.map(({ seat, place, level }) => [seat, place, level])).toEqual([
    [0, 1, true], [1, 1, true], [3, 3, false], [2, 4, false], [4, 5, false],
  ]);
  expect(told[2]!.note).toContain('fewer rounds');
  expect(told[0]!.note).toBe('');
});

test('the ranking is by points, then hit points, then rounds as a ghost, and equals share a place', () => {
  expect(rankingOf(view)).toEqual([[0], [1], [3], [2], [4]]);
  expect(rankingOf({ vp: [0, 2, 0], hp: [20, 1, 20], fallen_rounds: [0, 0, 0] })).toEqual([[1], [0, 2]]);
});

test('while a turn is played back, the standings are those of that moment, not of a later one', () => {
  const later = { hp: [20, 14], vp: [3, 5], fallen_rounds: [0, 0], ranking: [[1], [0]] } as unknown as View;
  const start = playback.start(later, { hp: 20 });
  expect(start.ranking).toEqual([[0, 1]]);
  const scored = playback.fold(start, { to: null, event: 'EffectDone', seat: 0, target: null, hp: 20, vp: 3, stolen: 0 });
  expect(scored.ranking).toEqual([[0], [1]]);
});
