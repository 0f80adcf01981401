import { describe, expect, it } from 'vitest';
import { changed, fieldsOf, inWords, labelOf } from './rules';

const RULES = {
  goal: { type: 'integer', minimum: 1, maximum: 1_000_000_000, default: 5000 },
  turn_seconds: { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000_000, default: 30 },
};

describe('house rules', () => {
  it('are named in words', () => expect(labelOf('turn_seconds')).toBe('Clock, in seconds'));
  it('know which of them can be left out', () => expect(fieldsOf(RULES).map((field) => field.mayBeNone)).toEqual([false, true]));
  it('are sent only where they differ from the usual', () =>
    expect(changed(fieldsOf(RULES), { goal: 5000, turn_seconds: null })).toEqual({ turn_seconds: null }));
  it('are refused by the name that stands in the form', () =>
    expect(inWords(fieldsOf(RULES), 'goal must be from 1 to 9.')).toBe('Points to win must be from 1 to 9.'));
});
