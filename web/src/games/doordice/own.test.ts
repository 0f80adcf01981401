import { expect, test } from 'vitest';
import { ownDeed } from './own';
import { FACES } from './effects';

const names = ['Ann', 'Bea'];
const done = (effect: string, more: Record<string, unknown> = {}) => ({ event: 'EffectDone', to: null, seat: 0, effect, target: null, hp: 17, vp: 2, stolen: 0, ...more });

test('what I did is said to me, not of somebody with my name', () => {
  expect(ownDeed(done('backfire'), names)).toBe('Backfire! You are down to 17 HP.');
  expect(ownDeed(done('strike', { target: 1, hp: -2 }), names)).toBe('You strike Bea, who is left with −2 HP.');
  expect(ownDeed(done('pickpocket', { target: 1 }), names)).toBe('You pick Bea’s pocket and steal nothing.');
  expect(ownDeed(done('pickpocket', { target: 1, stolen: 1 }), names)).toBe('You pick Bea’s pocket and steal 1 VP.');
  expect(ownDeed({ event: 'EliminationScored', to: null, seat: 0, target: 1, points: 2, vp: 5 }, names)).toBe('You earn 2 VP for eliminating Bea and have 5.');
});

test('there is a sentence for every effect of every face', () => {
  const effects = Object.values(FACES).flat().flatMap(([, some]) => some);
  expect(effects.filter((effect) => ownDeed(done(effect, { target: 1 }), names) === null)).toEqual([]);
});
