/** Questions over HTTP: an answer, or a refusal with a code and a sentence. */
import { curly } from './apostrophes';
import { language, t } from './language.svelte';
import { link } from './router.svelte';

export interface Refusal {
  code: string;
  message: string;
  [more: string]: unknown;
}

export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = { ...refusal, message: curly(refusal.message) };
  }
}

const unreached = (): Refusal => ({ code: 'unreached', message: t('The server can’t be reached. Try again in a moment.') });

/** Any error as something to show beside the thing that was pressed. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  return { code: 'internal', message: t('Something went wrong. Try reloading the page.') };
}

export async function ask<T>(method: string, path: string, body?: unknown, authorization?: string): Promise<T> {
  const headers: Record<string, string> = { 'accept-language': language.code };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (authorization !== undefined) headers.authorization = authorization;
  let response: Response;
  try {
    response = await fetch(link(path), { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Refused(unreached());
  }
  const answer: unknown = await response.json().catch(() => null); // null also where the answer was cut off
  if (response.ok && answer !== null) return answer as T;
  throw new Refused((answer as { error?: Refusal } | null)?.error ?? unreached());
}

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>('POST', path, body);
