import { expect, test } from 'vitest';
import type { EventTold } from '../../lib/types';
import { playback } from './playback';

const rolled = (face: number, round_score: number): EventTold => ({ event: 'Rolled', to: null, seat: 1, face, round_score });
const said = (...events: EventTold[]): string => playback.caption(events, ['Ann', 'Odile']);

test('a turn of Dice Wards reads as sentences', () => {
  expect(said(rolled(2, 2))).toBe('Odile rolls a 2.');
  expect(said(rolled(2, 2), rolled(6, 8))).toBe('Odile rolls 2, then 6: 8 on the pile.');
  expect(said(rolled(2, 2), rolled(6, 8), rolled(4, 12))).toBe('Odile rolls 2, 6, then 4: 12 on the pile.');
  expect(said(rolled(6, 6), { event: 'Held', to: null, seat: 1, points: 20, score: 20 })).toBe('Odile holds 20 and has 20.');
  expect(said({ event: 'Lost', to: null, seat: 1, points: 0 })).toBe('Odile rolls a 1.');
});
