import { expect, test } from 'vitest';
import { fate, leagueOf, spoken, type Fought, type Unit } from './view';

const unit = (ability: Unit['ability'], health = 30): Unit => ({ attack: 20, defense: 10, health, max_health: health, ability });
const fought = (damage: [number, number], health: [number, number]): Fought => ({ picks: [0, 0], damage, health, winner: null });

test('(knocked out) is told with all damage, also beyond what was left', () => {
  expect(fate(fought([0, 45], [0, 30]), [[unit('Heal')], [unit('None')]], 0)).toBe('took 45 and fell');
});

test('healing is told by how much it gave back', () => {
  expect(fate(fought([0, 10], [30, 30]), [[unit('Heal')], [unit('None')]], 0)).toBe('took 10, healed 10');
});

test('a shield takes nothing', () => {
  expect(fate(fought([0, 0], [30, 30]), [[unit('Shield')], [unit('None')]], 0)).toContain('shield');
  expect(fate(fought([0, 10], [20, 30]), [[unit('None')], [unit('None')]], 0)).toBe('took 10');
});

test('a unit is read aloud with its special', () => {
  expect(spoken(unit('Boost'))).toBe('attack 20, defense 10, health 30, Boost: doubles its attack');
  expect(spoken(unit('None'))).toBe('attack 20, defense 10, health 30');
});

test('every number has a league', () => {
  expect([0, 1, 2, 3, undefined].map((n) => leagueOf(n).name)).toEqual(['Fire', 'Ice', 'Shadow', 'Nature', 'Fire']);
});
