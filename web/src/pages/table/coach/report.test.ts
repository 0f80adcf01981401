import { expect, it, vi } from 'vitest';
import type { Coached } from '../../../lib/types';
import { coachHeadline, costOf, courseOf, firstOf, percent, reportOf } from './report';

it('chances read as people say them', () => {
  expect([0, 0.001, 0.374, 0.999, 1].map(percent)).toEqual(['0 %', 'under 1 %', '37 %', 'over 99 %', '100 %']);
});

it('a choice cost what lies between the two chances that are told', () => {
  const chosen = (chance: number, best: number | null) => ({ chance: { chance, stderr: 0 }, best_chance: best === null ? null : { chance: best, stderr: 0 }, loss: (best ?? 0.234) - chance });
  expect(costOf(chosen(0.104, 0.156))).toBe('6 points'); // told as 10 % and 16 %
  expect(costOf(chosen(0.3949, 0.4049))).toBe('1 point');
  expect(costOf(chosen(0.501, 0.502))).toBe('less than a point');
  expect(costOf(chosen(0, null))).toBe('23 points');
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

it('where a game starts at the lowest or the highest chance, the sentence says so', () => {
  const won = { seats: [{ seat: 0, start: 0.33 }], graph: [{ chances: [0.4] }, { chances: [1] }] } as unknown as Coached;
  expect(courseOf(won, 0)).toBe('The chance to win starts at 33 %, is 33 % at its lowest and 100 % at its highest, and ends at 100 %.');
});

it('a rough report is shown until a finer one takes its place', async () => {
  const told = (progress: number, headline?: string) => ({ progress, seats: headline ? [{ yours: { headline } }] : [] });
  const answers = [told(0.1), told(0.4, 'You lost.'), told(1, 'You lost; luck was about even.')];
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answers.shift()), { headers: { 'content-type': 'application/json' } }));
  const headlines: string[] = [];
  const late: number[] = [];
  await coachHeadline('t1', 0, (headline) => {
    if (headlines.push(headline) === 1) void reportOf('t1', (soFar) => late.push(soFar.progress)); // somebody who asks later
  });
  expect(headlines).toEqual(['You lost.', 'You lost; luck was about even.']);
  expect(late).toEqual([0.4]);
  vi.unstubAllGlobals();
});
