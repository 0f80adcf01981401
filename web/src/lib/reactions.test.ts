import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Reactions, type Reacted } from './reactions.svelte';

const bo: Reacted = { name: 'Bo', seat: 1, reaction: 'wow' };
const eve: Reacted = { name: 'Eve', seat: null, reaction: 'bravo' };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a reaction is shown for a moment, and the newest of a person replaces the one before', () => {
  const reactions = new Reactions();
  reactions.receive([bo], 0, 0, 0);
  reactions.receive([{ ...bo, reaction: 'ouch' }, eve], 0, 0, 1000);
  expect(reactions.shown.map((one) => one.reaction)).toEqual(['ouch', 'bravo']);
  expect(reactions.ofSeat(1)?.reaction).toBe('ouch');
  vi.advanceTimersByTime(4000);
  expect(reactions.shown).toEqual([]);
});

test('a seat that is drawn shows its own; everybody else shares a line', () => {
  const reactions = new Reactions();
  reactions.drawn.add(1);
  reactions.receive([bo, eve, { ...bo, seat: 2 }], 0, 0, 0);
  expect(reactions.others.map((one) => one.seat)).toEqual([null, 2]);
});

test('one sentence is said for all, not for my own, and no other soon after it', () => {
  const reactions = new Reactions();
  reactions.receive([bo], 0, 1, 0);
  expect(reactions.sentence).toBe('');
  reactions.receive([bo], 0, 0, 0);
  expect(reactions.sentence).toBe('Bo reacts: Wow.');
  reactions.receive([eve], 0, 0, 4999);
  expect(reactions.sentence).toBe('Bo reacts: Wow.');
  reactions.receive([bo, eve], 3, 0, 5000);
  expect(reactions.sentence).toBe('5 people react.');
});

test('a reaction that this page does not know is not shown', () => {
  const reactions = new Reactions();
  reactions.receive([{ ...bo, reaction: 'dance' as never }], 0, 0, 0);
  expect(reactions.shown).toEqual([]);
});

test('whoever mutes the others still sees that their own reaction was sent', () => {
  const reactions = new Reactions();
  reactions.setMuted(true);
  reactions.receive([bo, eve], 2, 1, 0);
  expect([reactions.shown, reactions.more, reactions.sentence]).toEqual([[bo], 0, '']);
  reactions.setMuted(false);
});

test('muted means nothing is shown or said', () => {
  const reactions = new Reactions();
  reactions.receive([bo], 2, 0, 0);
  reactions.setMuted(true);
  expect([reactions.shown, reactions.more, reactions.sentence]).toEqual([[], 0, '']);
  reactions.receive([eve], 0, 0, 9000);
  expect(reactions.shown).toEqual([]);
});
