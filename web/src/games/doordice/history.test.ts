import { expect, test } from 'vitest';
import { historyOf, lastChanges } from './history';

const told = (event: string, more: Record<string, unknown> = {}): { event: string; to: null } => ({ event, to: null, ...more });
const rolled = (seat: number, face: number, alive = true) => told('Rolled', { seat, face, alive, in_time: true });
const done = (seat: number, effect: string, target: number | null, hp: number, vp = 0, stolen = 0) =>
  told('EffectDone', { seat, effect, target, hp_change: hp, vp_change: vp, stolen });

const GAME = [
  told('RoundStarted', { round: 1 }),
  rolled(0, 4),
  done(0, 'strike', 2, -4),
  told('Fell', { seat: 2, hp: -1, round: 1 }),
  told('EliminationScored', { seat: 0, target: 2, points: 2, vp: 2 }),
  rolled(1, 3),
  done(1, 'pickpocket', 0, 0, -1, 1),
  rolled(2, 5, false),
];

test('every roll stands in its round, with what came of it', () => {
  const [round] = historyOf(GAME, 5);
  expect(round!.deeds[0]).toMatchObject({ face: 4, effect: 'strike', target: 2, change: '−4 HP', felled: true });
  expect(round!.deeds[1]).toMatchObject({ effect: 'pickpocket', change: '+1 VP', felled: false });
  expect(round!.deeds[2]).toMatchObject({ face: 5, ghost: true, effect: null, forgone: false });
  expect(round!.deeds[3]).toBeNull();
});

test('a Backfire that fells oneself is told of who rolled it', () => {
  const [round] = historyOf([told('RoundStarted', { round: 1 }), rolled(1, 1), done(1, 'backfire', null, -3), told('Fell', { seat: 1 })], 5);
  expect(round!.deeds[1]).toMatchObject({ effect: 'backfire', target: null, felled: true });
});

test('a choice let go by is no effect', () => {
  const [round] = historyOf([told('RoundStarted', { round: 1 }), rolled(1, 4), told('ChoiceForgone', { seat: 1, face: 4 })], 5);
  expect(round!.deeds[1]).toMatchObject({ effect: null, forgone: true });
});

test('the last effect shows at everybody it changed', () => {
  expect(lastChanges(GAME)).toEqual({ 0: ['−1 VP'], 1: ['+1 VP'] });
  expect(lastChanges(GAME.slice(0, 5))).toEqual({ 2: ['−4 HP'], 0: ['+2 VP'] });
  expect(lastChanges([])).toEqual({});
});
