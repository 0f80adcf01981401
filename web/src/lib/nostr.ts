/** Nostr keys: a browser extension (NIP-07) signs one request, and the signature travels in its header (NIP-98). */
import { Refused } from './http';
import { t } from './language.svelte';
import { hexOf } from './seal';
import { sha256, type Bytes } from './sha256';

const KIND = 27235;

export interface UnsignedEvent {
  kind: number;
  created_at: number; // seconds
  tags: string[][];
  content: string;
}

export interface Extension {
  signEvent(event: UnsignedEvent): Promise<object>;
}

declare global {
  interface Window {
    nostr?: Extension;
  }
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;

/** What is signed to send this body to this address. */
export function requestEvent(url: string, method: string, body: string, now: number): UnsignedEvent {
  const tags = [['u', url], ['method', method], ['payload', hexOf(sha256(utf8(body)))]];
  return { kind: KIND, created_at: Math.floor(now / 1000), tags, content: '' };
}

export const headerOf = (event: object): string =>
  `Nostr ${btoa(String.fromCharCode(...utf8(JSON.stringify(event))))}`;

/** Why nothing can be signed here, or null. Only the hall's public address is ever signed: no other hall can use it. */
export function obstacle(extension: Extension | undefined, here: string, publicUrl: string): string | null {
  if (!extension) {
    return t('This browser has no Nostr extension. Install one that supports NIP-07, such as nos2x, and reload the page.');
  }
  if (!sameAddress(here, publicUrl)) return t('Signing in with a Nostr key works only at {publicUrl}. Open the hall there.', { publicUrl });
  return null;
}

function sameAddress(one: string, other: string): boolean {
  try {
    return new URL(one).href === new URL(other).href;
  } catch {
    return false;
  }
}

/** The Authorization header of one request, signed by the extension after it asked its person. */
export async function signRequest(event: UnsignedEvent, here: string, publicUrl: string): Promise<string> {
  const reason = obstacle(window.nostr, here, publicUrl);
  if (reason !== null || !window.nostr) throw new Refused({ code: 'no_nostr_key', message: reason ?? '' });
  try {
    return headerOf(await window.nostr.signEvent(event));
  } catch {
    throw new Refused({ code: 'not_signed', message: t('The Nostr extension did not sign. Nothing was sent; you can try again.') });
  }
}
