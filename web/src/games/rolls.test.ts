import { describe, expect, it } from 'vitest';
import type { BoardTable } from '../lib/board';
import { playback as aetharn } from './aetharn/playback';
import { facesShown, isRollShown, lackOf, worthByPlace, worthOfFaces } from './rolls';
import { playback as tenthousand } from './tenthousand/playback';
import { playback as wards } from './wards/playback';

const roll = (n: number, faces: number[]): unknown => ({ n, faces, sides: faces.map(() => 6) });
const table = (more: Partial<BoardTable>): BoardTable =>
  ({ thrown: null, bust: null, rolls: [roll(1, [5, 2]), roll(2, [3])], ...more }) as BoardTable;

describe('the dice on the felt', () => {
  it('are those in the air, then those of the position', () => {
    expect(facesShown(table({ thrown: { n: 3, faces: [4], seat: 0 } }), [5, 2])).toEqual([4]);
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

describe('what dice are worth', () => {
  /** What stands on each die: the points of a single one, and those of a set on its first die. */
  const badges = (loose: (number | null)[], scored: [faces: number[], points: number][]): (string | undefined)[] => {
    const found = worthByPlace(loose, worthOfFaces(scored.map(([faces, points]) => ({ faces, points }))));
    return loose.map((_, at) => found.get(at)?.badge);
  };
  const TWOS: [number[], number][] = [[[2, 2, 2], 200], [[1, 2, 2, 2], 300], [[5, 2, 2, 2], 250], [[1, 5, 2, 2, 2], 350], [[1, 5], 150], [[1], 100], [[5], 50]];
  const ONES: [number[], number][] = [[[1, 1, 1], 1000], [[1, 1, 1], 300], [[1, 1], 200], [[1], 100]];

  it('stands once on a set, and on each die that scores alone', () => {
    expect(badges([1, 5, 2, 2, 3, 2], TWOS)).toEqual(['+100', '+50', 'all 3: 200', '', undefined, '']);
  });
  it('is that of the set where dice that score alone are worth more together', () => {
    expect(badges([4, 1, 1, 6, 1, 3], ONES)).toEqual([undefined, 'all 3: 1000', '', undefined, '', undefined]);
    expect(badges([1, null, 1], ONES.slice(2))).toEqual(['+100', undefined, '+100']);
  });
  it('is told of two sets, of a straight, and of three pairs that are worth less than four of a kind', () => {
    expect(badges([2, 3, 2, 3, 2, 3], [[[2, 2, 2, 3, 3, 3], 500], [[2, 2, 2], 200], [[3, 3, 3], 300]])).toEqual(['all 3: 200', 'all 3: 300', '', '', '', '']);
    expect(badges([3, 1, 2, 4, 5, 6], [[[1, 2, 3, 4, 5, 6], 1500], [[1, 5], 150], [[1], 100], [[5], 50]])).toEqual(['all 6: 1500', '', '', '', '', '']);
    const pairs: [number[], number][] = [[[1, 1, 1, 1], 2000], [[1, 1, 1, 1, 2, 2], 1500], ...ONES];
    expect(badges([2, 2, 1, 1, 1, 1], pairs)).toEqual(['all 6: 1500', '', 'all 4: 2000', '', '', '']);
  });
  it('is said of every die of a set', () => {
    const said = worthByPlace([2, 2, 2, 5], worthOfFaces([{ faces: [2, 2, 2], points: 200 }, { faces: [5], points: 50 }, { faces: [5, 2, 2, 2], points: 250 }]));
    expect([said.get(1)?.said, said.get(3)?.said]).toEqual(['all 3 together worth 200', 'worth 50']);
  });

  const lack = (chosen: number[], loose: number[], scored: number[][]): string =>
    lackOf(chosen, loose, worthOfFaces(scored.map((faces) => ({ faces, points: 100 }))));
  it('is missing where a part of a set is chosen, and what to do is said', () => {
    expect(lack([2], [2, 2, 2, 1], [[2, 2, 2], [1], [1, 2, 2, 2]])).toBe('Keep all three 2s to score.');
    expect(lack([1, 2, 2], [2, 2, 2, 1], [[2, 2, 2], [1], [1, 2, 2, 2]])).toBe('Keep all three 2s to score.');
    expect(lack([2], [2, 2, 2, 2], [[2, 2, 2], [2, 2, 2, 2]])).toBe('Keep at least three 2s to score.');
    expect(lack([3, 3], [3, 3, 4, 4, 6, 6], [[3, 3, 4, 4, 6, 6]])).toBe('Keep all six dice to score.');
    expect(lack([3], [3, 1], [[1]])).toBe('These dice do not all score.');
  });
});

describe('the line about a turn', () => {
  const [names, told] = [['Ann', 'Bo'], (event: string, more: object) => ({ event, to: null, ...more })];
  const banked = told('PointsScored', { player: 1, points_this_turn: 300, total_score: 650 });
  const yielded = told('Yielded', { seat: 1, points: 300, score: 650 });

  it('says what a turn banks, not the whole score, which stands beside the name', () => {
    const held = told('DiceHeld', { player: 1, held_dice_values: [1, 5], points_from_held: 150, remaining_dice_count: 2 });
    const locked = told('Locked', { seat: 1, subsets: [[1], [5]], points: 150, turn_points: 300, dice_left: 2 });
    expect(aetharn.caption([told('TurnStarted', { player: 1 }), held, banked], names)).toBe('Bo keeps 1 5 for 150 and banks 300.');
    expect(tenthousand.caption([told('TurnStarted', { seat: 1 }), locked, yielded], names)).toBe('Bo keeps 1 5 for 150 and banks 300.');
  });
  it('tells that the clock ran out, and that somebody folds', () => {
    const started = told('TurnStarted', { player: 1 });
    expect(aetharn.caption([started, told('TurnTimedOut', { player: 1, lost_points: 300 })], names)).toBe('Bo ran out of time and loses 300.');
    expect(aetharn.caption([started, told('TurnTimedOut', { player: 1, lost_points: 0 }), told('TurnEnded', { player: 1 })], names)).toBe('Bo ran out of time.');
    const folds = told('PlayerFolded', { player: 1, remaining_player_count: 2 });
    expect(aetharn.caption([started, folds, told('TurnEnded', { player: 1 })], names)).toBe('Bo folds.');
    expect(aetharn.caption([started, told('PlayerFolded', { player: 0, remaining_player_count: 2 })], names)).toBe('Ann folds.');
    expect(aetharn.caption([started, folds, told('DiceRolled', { dice_values: [3, 4] })], names)).toBe('Bo rolls 3 4.');
    expect(tenthousand.caption([told('TimedOut', { seat: 1, lost: 300 })], names)).toBe('Bo ran out of time and loses 300.');
    expect(wards.caption([told('Held', { seat: 1, points: 12, score: 40, in_time: false })], names)).toBe('Bo ran out of time and banks 12.');
  });
  it('is a sentence with a name for whoever comes as somebody banks', () => {
    expect(aetharn.caption([banked], names, 1)).toBe('Bo banks 300.');
    expect(tenthousand.caption([yielded], names)).toBe('Bo banks 300.');
  });
});
