import { describe, expect, it } from 'vitest';
import type { BoardTable } from '../lib/board';
import { facesShown, isRollShown } from './rolls';

const roll = (n: number, faces: number[]): unknown => ({ n, faces, sides: faces.map(() => 6) });
const table = (more: Partial<BoardTable>): BoardTable =>
  ({ thrown: null, bust: null, rolls: [roll(1, [5, 2]), roll(2, [3])], ...more }) as BoardTable;

describe('the dice on the felt', () => {
  it('are those in the air, then those of the position', () => {
    expect(facesShown(table({ thrown: { n: 3, faces: [4] } }), [5, 2])).toEqual([4]);
    expect(facesShown(table({}), [5, 2])).toEqual([5, 2]);
  });
  it('are the roll that bust, not the one before it, until somebody rolls again', () => {
    const bust = table({ bust: { seat: 0, lost: 450 } });
    expect(facesShown(bust, [5, 2])).toEqual([3]);
    expect(isRollShown(bust, [5, 2])).toBe(false);
    expect(facesShown(table({}), null)).toEqual([3]);
  });
  it('are six blank ones before anybody rolled', () => {
    expect(facesShown(table({ rolls: [] }), null)).toEqual([null, null, null, null, null, null]);
  });
});
