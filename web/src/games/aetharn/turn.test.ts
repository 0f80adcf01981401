import { describe, expect, it } from 'vitest';
import type { Line } from '../../lib/story';
import { heldOf, holdsOf, statusOf, type Moment } from './turn';

const line = (event: string, fields: Record<string, unknown> = {}): Line =>
  ({ n: 1, at: 0, text: '', ofGame: true, event: { event, to: null, ...fields } }) as Line;
const held = (faces: number[], points: number, left: number): Line =>
  line('DiceHeld', { held_dice_values: faces, points_from_held: points, remaining_dice_count: left });

it('holds are told with the points of the hall, whatever order dice are chosen in', () => {
  const holds = holdsOf(['roll', { hold: [2, 0] }, { hold: [0] }, 'fold'], [null, 150, 100, null]);
  expect(holds).toEqual([
    { dice: [2, 0], key: '0,2', points: 150 },
    { dice: [0], key: '0', points: 100 },
  ]);
});

describe('what was held in this turn', () => {
  it('adds up over its rolls', () => {
    const story = [line('TurnStarted'), line('DiceRolled'), held([1], 100, 5), line('DiceRolled'), held([5, 5], 100, 3)];
    expect(heldOf(story)).toEqual([
      { faces: [1], points: 100 },
      { faces: [5, 5], points: 100 },
    ]);
  });
  it('is gone with the next turn', () => {
    expect(heldOf([held([1], 100, 5), line('TurnStarted')])).toEqual([]);
  });
  it('is thrown again after hot dice', () => {
    const six = held([1, 2, 3, 4, 5, 6], 1500, 0);
    expect(heldOf([line('TurnStarted'), six])).toHaveLength(1);
    expect(heldOf([line('TurnStarted'), six, line('DiceRolled')])).toEqual([]);
  });
});

describe('six held dice', () => {
  const view = { roll: [1, 1, 1, 5, 5, 5], dice_left: 6, must_hold: true, turn_points: 0, scores: [450, 0], goal: 5000, hot_dice: 1, hot_dice_used: 0 };
  const hold = { dice: [0, 1, 2, 3, 4, 5], key: '', points: 1500 };
  const status = (more: Partial<typeof view>): string =>
    statusOf({ view: { ...view, ...more }, shown: { over: null }, names: [], turn: 0, me: 0, myTurn: true, bust: null, lack: '', hold } as unknown as Moment);
  it('can be rolled again', () => {
    expect(status({})).toBe('Hot dice! Roll all six again and keep your points, or bank.');
  });
  it('are banked where that wins, or where hot dice are used up', () => {
    expect(status({ goal: 1500 })).toBe('Bank now to win with 1950.');
    expect(status({ hot_dice_used: 1 })).toBe('All six dice are kept: bank your points.');
  });
});
