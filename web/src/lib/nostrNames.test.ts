import { nip19 } from 'nostr-tools';
import { expect, test } from 'vitest';
import { bech32, noteOf, nostrLink, shortened } from './nostrNames';

const ids = Array.from({ length: 50 }, (_, i) => Array.from({ length: 32 }, (_, j) => ((i * 37 + j * (i + 11)) % 256).toString(16).padStart(2, '0')).join(''));

test.each(['0'.repeat(64), 'f'.repeat(64), ...ids])('%s is written as nostr-tools writes it', (id) => {
  expect(noteOf(id)).toBe(nip19.noteEncode(id));
  expect(nostrLink(nip19.npubEncode(id))).toBe(`nostr:${nip19.npubEncode(id)}`);
  expect(nostrLink(id)).toBe(`nostr:${nip19.noteEncode(id)}`);
});

test('the example of BIP-173 with nothing in it', () => {
  expect(bech32('a', new Uint8Array())).toBe('a12uel5l');
});

test.each(['', 'F'.repeat(64), 'f'.repeat(63), 'javascript:alert(1)', 'npub1', `npub1${'b'.repeat(58)}`, 'nsec1abc', `${'f'.repeat(64)}\n`])(
  'no link is made of %j',
  (text) => expect(nostrLink(text)).toBeNull(),
);

test('long names are shortened in the middle, short ones are not', () => {
  expect(shortened('npub1abcdefghijklmnop')).toBe('npub1abcd…mnop');
  expect(shortened('friday')).toBe('friday');
});
