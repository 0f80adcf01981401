import { afterEach, expect, test, vi } from 'vitest';
import { get, Refused } from './http';

afterEach(() => vi.unstubAllGlobals());

/** Whatever is asked gets this answer. */
function answered(body: BodyInit, status = 200): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })));
}

/** An answer whose first bytes came before the page was left. */
function cutOff(): ReadableStream {
  return new ReadableStream({
    start(body): void {
      body.enqueue(new TextEncoder().encode('{"id": "a'));
      body.error(new DOMException('The page was left.', 'AbortError'));
    },
  });
}

async function codeOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((error: unknown) => error);
  if (!(error instanceof Refused)) throw new Error(`not refused, but ${JSON.stringify(error)}`);
  return error.refusal.code;
}

test('an answer is what the hall said', async () => {
  answered('{"id": "ann"}');
  expect(await get('/api/me')).toEqual({ id: 'ann' });
});

test('a refusal has the code that the hall gave', async () => {
  answered('{"error": {"code": "not_signed_in", "message": "Sign in first."}}', 401);
  expect(await codeOf(get('/api/me'))).toBe('not_signed_in');
});

test('an answer that was cut off is no answer', async () => {
  for (const body of [cutOff(), '', '{"id": "a']) {
    answered(body);
    expect(await codeOf(get('/api/me'))).toBe('unreached');
  }
});
