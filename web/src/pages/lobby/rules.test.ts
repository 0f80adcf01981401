import { describe, expect, it } from 'vitest';
import { changed, fieldsOf, inWords, labelOf, mostOf, wrong } from './rules';

const RULES = {
  goal: { type: 'integer', minimum: 1, maximum: 1_000_000_000, default: 5000 },
  turn_seconds: { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000_000, default: 30 },
};

const FIGHTS = fieldsOf({
  rounds: { type: 'integer', minimum: 1, maximum: 100, default: 5, maximum_with: { fight_once: 8 } },
  fight_once: { type: 'integer', minimum: 0, maximum: 1, default: 1 },
});
const ROUNDS = FIGHTS[0]!;

describe('a rule that another one limits', () => {
  it('is limited while the other one is on', () => expect(mostOf(ROUNDS, FIGHTS, {})).toBe(8));
  it('is not limited while it is off', () => expect(mostOf(ROUNDS, FIGHTS, { fight_once: 0 })).toBe(100));
  it('is refused with the reason', () =>
    expect(wrong(ROUNDS, FIGHTS, { rounds: 9 })).toBe('Rounds must be a whole number from 1 to 8 while “Each unit fights once” is on.'));
  it('is taken where it fits', () =>
    expect([wrong(ROUNDS, FIGHTS, { rounds: 8 }), wrong(ROUNDS, FIGHTS, { rounds: 9, fight_once: 0 })]).toEqual(['', '']));
});

describe('a number that no rule can be', () => {
  const [goal, clock] = fieldsOf(RULES);
  it.each([0, 1.5, Number.NaN, -1])('%s is refused', (value) => expect(wrong(goal!, [], { goal: value })).not.toBe(''));
  it('may be none only where there can be none', () =>
    expect([wrong(goal!, [], { goal: null }) === '', wrong(clock!, [], { turn_seconds: null }) === '']).toEqual([false, true]));
});

describe('house rules', () => {
  it('are named in words', () => expect(labelOf('turn_seconds')).toBe('Turn clock (seconds)'));
  it('know which of them can be left out', () => expect(fieldsOf(RULES).map((field) => field.mayBeNone)).toEqual([false, true]));
  it('are sent only where they differ from the usual', () =>
    expect(changed(fieldsOf(RULES), { goal: 5000, turn_seconds: null })).toEqual({ turn_seconds: null }));
  it('are refused by the name that stands in the form', () =>
    expect(inWords(fieldsOf(RULES), 'goal must be from 1 to 9.')).toBe('Points to win must be from 1 to 9.'));
});
