import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { language } from '../../lib/language.svelte';
import { whenText } from './days';
import { isNewcomer, lastPlayed, lossText } from './result';

const DAY = '2026-11-17';
const MIDNIGHT = Date.parse(`${DAY}T00:00:00Z`);

const stub = (tag: string): void => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: [tag] });
};
afterEach(() => vi.unstubAllGlobals());

describe('numbers and times of a challenge', () => {
  afterEach(() => language.choose('en'));

  it('have the decimal point and the hours of an English reader', () => {
    stub('en-US');
    expect(lossText(0.01234)).toBe('1.23\u00a0%');
    expect(lossText(null)).toBe('…');
    expect(whenText(new Date(2026, 10, 19, 1, 1).getTime(), language.locale)).toMatch(/^on Thursday at 1:01\sAM$/);
  });
  it('have the decimal comma and the hours of a German reader', async () => {
    stub('de-DE');
    await language.choose('de');
    expect(lossText(0.01234)).toBe('1,23\u00a0%');
    expect(whenText(new Date(2026, 10, 19, 1, 1).getTime(), language.locale)).toBe('am Donnerstag um 01:01 Uhr');
  });
});

describe('the ranking that is shown first', () => {
  const games = [{ game: 'aetharn' }, { game: 'wards' }];
  const store = new Map<string, string>();
  beforeEach(() => vi.stubGlobal('localStorage', { getItem: (key: string) => store.get(key) ?? null }));
  afterEach(() => store.clear());

  it('is that of the game played last', () => {
    store.set('dicehall:challenge', '"wards"');
    expect(lastPlayed(games)).toBe('wards');
  });
  it('is that of the first game where that one is gone, or nobody played', () => {
    expect(lastPlayed(games)).toBe('aetharn');
    store.set('dicehall:challenge', '"chess"');
    expect([lastPlayed(games), lastPlayed([])]).toEqual(['aetharn', '']);
  });
  it('has guests and accounts made after the day began apart', () => {
    const made = (guest: boolean, created: number) => isNewcomer({ guest, created }, DAY);
    expect([made(true, 0), made(false, MIDNIGHT - 1), made(false, MIDNIGHT)]).toEqual([true, false, true]);
  });
});
