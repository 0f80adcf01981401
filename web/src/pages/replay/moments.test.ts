import { describe, expect, it } from 'vitest';
import type { Coached } from '../../lib/types';
import { turningPoint, turningPoints } from './moments';

const report = (...graph: [entry: number, sentence: string, chance: number][]): Coached =>
  ({ seats: [{ start: 0.5 }], graph: graph.map(([entry, sentence, chance]) => ({ entry, sentence, chances: [chance] })) }) as unknown as Coached;
const replay = { stepOf: (entry: number): number => Math.floor(entry / 2) }; // a move and its roll are one step

describe('turning points', () => {
  it('are the largest swings, in the order of the game', () => {
    const moments = turningPoints(report([0, 'a', 0.6], [2, 'b', 0.61], [4, 'c', 0.2]), 0, replay);
    expect(moments.map(({ step, text }) => [step, text])).toEqual([[0, 'a'], [2, 'c']]);
    expect(turningPoint(moments)?.text).toBe('c');
  });
  it('show a loser where the game was lost, and a winner where it was won', () => {
    const moments = turningPoints(report([0, 'luck', 0.9], [2, 'bust', 0.6], [4, 'end', 0.4]), 0, replay);
    expect(turningPoint(moments, 0)?.text).toBe('bust');
    expect(turningPoint(moments, 1)?.text).toBe('luck');
  });
  it('have one moment for a choice and the roll that answers it, told by the larger swing', () => {
    const moments = turningPoints(report([0, 'Ann rolls on', 0.4], [1, 'Ann rolls a 1', 0.1]), 0, replay);
    expect(moments).toEqual([{ step: 0, text: 'Ann rolls a 1', before: 0.5, after: 0.1 }]);
  });
  it('leave out a step whose swings cancel out', () => {
    expect(turningPoints(report([0, 'a', 0.3], [1, 'b', 0.5]), 0, replay)).toEqual([]);
  });
});
