import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { hashPayload, unpackEventFromToken, validateEvent } from 'nostr-tools/nip98';
import { expect, test } from 'vitest';
import { headerOf, obstacle, requestEvent, type Extension } from './nostr';

const URL = 'https://hall.example/dice/api/sessions';
const extension: Extension = { signEvent: (event) => Promise.resolve(event) };

test('nostr-tools accepts the header of a request', async () => {
  const secret = generateSecretKey();
  const body = { name: 'Zoë' };
  const event = requestEvent(URL, 'POST', JSON.stringify(body), Date.now());
  const header = headerOf(finalizeEvent(event, secret));
  const read = await unpackEventFromToken(header);
  expect(read.pubkey).toBe(getPublicKey(secret));
  expect(await validateEvent(read, URL, 'post', body)).toBe(true);
});

test('an empty body has a hash, too', () => {
  const { tags } = requestEvent(URL, 'POST', '{}', 1_700_000_000_999);
  expect(tags).toEqual([['u', URL], ['method', 'POST'], ['payload', hashPayload({})]]);
  expect(requestEvent(URL, 'POST', '{}', 1_700_000_000_999).created_at).toBe(1_700_000_000);
});

test.each([
  [undefined, 'https://hall.example', 'https://hall.example', 'no Nostr extension'],
  [extension, 'http://localhost:8000', 'http://127.0.0.1:8000', 'only at http://127.0.0.1:8000'],
  [extension, 'http://hall.example', 'https://hall.example', 'only at https://hall.example'],
  [extension, 'https://hall.example', 'https://hall.example/dice', 'only at'],
  [extension, 'https://hall.example', 'nonsense', 'only at'],
])('with %o at %s, of which %s is the address, it says why not', (found, here, publicUrl, sentence) => {
  expect(obstacle(found, here, publicUrl)).toContain(sentence);
});

test.each([
  ['https://hall.example', 'https://hall.example'],
  ['https://hall.example', 'https://Hall.example:443'],
  ['https://hall.example/dice', 'https://hall.example/dice'],
])('at %s the address %s is the same', (here, publicUrl) => {
  expect(obstacle(extension, here, publicUrl)).toBeNull();
});
