import { expect, test } from 'vitest';
import vectors from '../../../tests/dice/rolls.json';
import { bytesOf, commitment, DiceWatch, facesOf, fullWords, hexOf, saltOf } from './seal';
import { hmac, sha256, type Bytes } from './sha256';

const bytes = (length: number): Bytes => Uint8Array.from({ length }, (_, i) => (i * 151 + 7) & 255);

// What is compared with is the platform's own, which browsers have only on https pages and this machine's.
test('SHA-256 agrees with the platform at every length round the ends of blocks', async () => {
  for (const length of [0, 1, 3, 31, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1000]) {
    const other = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(length)));
    expect(hexOf(sha256(bytes(length)))).toBe(hexOf(other));
  }
});

test('HMAC agrees with the platform, for short keys and long ones', async () => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const length of [1, 32, 64, 65, 200]) {
    const key = await crypto.subtle.importKey('raw', bytes(length), algorithm, false, ['sign']);
    const other = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(77)));
    expect(hexOf(hmac(bytes(length), bytes(77)))).toBe(hexOf(other));
  }
});

for (const vector of vectors) {
  test(`${vector.name}: the dice fall as the hall's do`, () => {
    const salt = saltOf(vector.table, vector.words);
    for (const roll of vector.rolls) expect(facesOf(bytesOf(roll.opened), salt, roll.sides)).toEqual(roll.faces);
    expect(vector.words.map(commitment)).toEqual(vector.commitments);
  });

  test(`${vector.name}: every roll is found fair, against the seal`, () => {
    const watch = new DiceWatch(vector.table, vector.seal, vector.words[0]!);
    expect(watch.begin(vector.words)).toBe('');
    const checks = vector.rolls.map((roll, i) => watch.check(roll, i));
    expect(checks.map(({ why }) => why)).toEqual(checks.map(() => ''));
    expect(checks.map(({ number }) => number)).toEqual(checks.map((_, i) => i + 1));
  });
}

const { table, seal, words, rolls } = vectors[0]!;
const watched = (mine: string | null = null): DiceWatch => {
  const watch = new DiceWatch(table, seal, mine);
  watch.begin(words);
  return watch;
};

test('another face than the sealed one is found', () => {
  const first = rolls[0]!;
  const other = { ...first, faces: [(first.faces[0]! % 6) + 1] };
  expect(watched().check(other, 1)).toMatchObject({ fair: false, why: expect.stringContaining('The sealed dice were') });
});

test('a secret that was left out is found at the next one', () => {
  expect(watched().check(rolls[1]!, 1).why).toBe('This secret is not the one that was sealed.');
});

test('another seal than the one shown before is found at the first roll', () => {
  const watch = new DiceWatch(table, '0'.repeat(64), null);
  watch.begin(words);
  expect(watch.check(rolls[0]!, 1).fair).toBe(false);
});

test('words that were not mixed in are found', () => {
  expect(new DiceWatch(table, seal, 'mine').begin(words)).toContain('were not mixed into');
  expect(new DiceWatch(table, seal, null).begin(words)).toBe('');
});

test('dice without a secret, or without a start, are not called fair', () => {
  expect(watched().check({ sides: [6], faces: [1], opened: null }, 1).fair).toBe(false);
  expect(new DiceWatch(table, seal, null).check(rolls[0]!, 1).fair).toBe(false);
});

test('what somebody brings is what they typed, composed, and 32 digits that differ every time', () => {
  expect(fullWords('e\u0301')).toMatch(/^é[0-9a-f]{32}$/);
  expect(fullWords('')).not.toBe(fullWords(''));
  expect(fullWords('a\u202eb\u200bc❤\ufe0f')).toMatch(/^abc❤[0-9a-f]{32}$/);
});
