import { expect, it } from 'vitest';
import type { Coached } from '../../../lib/types';
import { courseOf, firstOf, percent, points } from './report';

it('chances read as people say them', () => {
  expect([0, 0.001, 0.374, 0.999, 1].map(percent)).toEqual(['0 %', 'under 1 %', '37 %', 'over 99 %', '100 %']);
  expect([0.001, 0.01, 0.234].map(points)).toEqual(['less than a point', '1 point', '23 points']);
});

const report = {
  seats: [{ seat: 0, result: 0, start: 0.53 }, { seat: 1, result: 1, start: 0.47 }],
  graph: [{ chances: [0.6, 0.4] }, { chances: [0.12, 0.88] }, { chances: [0, 1] }],
} as unknown as Coached;

it('my own game comes first, and for those who watched the winner’s', () => {
  expect(firstOf(report, 0)?.seat).toBe(0);
  expect(firstOf(report, null)?.seat).toBe(1);
});

it('the graph is one sentence for those who cannot see it', () => {
  expect(courseOf(report, 0)).toBe('The chance to win starts at 53 %, is 0 % at its lowest and 60 % at its highest, and ends at 0 %.');
});
