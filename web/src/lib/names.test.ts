import { afterEach, describe, expect, it, vi } from 'vitest';
import german from '../words/de.json';
import { suggestedName } from './names';

const LONGEST = 24; // characters of a name, as the hall allows

describe('a suggested name', () => {
  afterEach(() => vi.restoreAllMocks());
  it('is two words', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(suggestedName()).toBe('Amber Acorn');
  });
  it('is short enough for the hall in every language', () => {
    const lists = Object.entries(german).filter(([english]) => /^(Amber|Acorn), /.test(english));
    for (const language of [0, 1] as const) {
      const longest = lists.map((texts) => Math.max(...texts[language].split(', ').map((word) => word.length)));
      expect(longest).toHaveLength(2);
      expect(longest[0]! + 1 + longest[1]!).toBeLessThanOrEqual(LONGEST);
    }
  });
});
