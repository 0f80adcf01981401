/** Questions over HTTP: an answer, or a refusal with a code and a sentence. */
import { link } from './router.svelte';

export interface Refusal {
  code: string;
  message: string;
  [more: string]: unknown;
}

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

const UNREACHED: Refusal = { code: 'unreached', message: 'The server can’t be reached. Try again in a moment.' };

/** Any error as something to show beside the thing that was pressed. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  return { code: 'internal', message: 'Something went wrong. Try reloading the page.' };
}

export async function ask<T>(method: string, path: string, body?: unknown, authorization?: string): Promise<T> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  if (authorization !== undefined) headers.authorization = authorization;
  let response: Response;
  try {
    response = await fetch(link(path), { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Refused(UNREACHED);
  }
  const answer: unknown = await response.json().catch(() => null); // null also where the answer was cut off
  if (response.ok && answer !== null) return answer as T;
  throw new Refused((answer as { error?: Refusal } | null)?.error ?? UNREACHED);
}

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>('POST', path, body);
