/** The hall this page belongs to: one line to it, and what the line looks like now. */
import { link } from './router.svelte';
import { randomHex } from './seal';
import { Talk, type Ask, type LineState } from './socket';

/** What changes something carries an id of its own: sent twice, it is done once. */
const ONCE = new Set([
  'open', 'act', 'sit', 'words', 'stand', 'start', 'leave', 'reclaim', 'bots', 'hint', 'rematch', 'decline', 'abandon', 'remove', 'close',
]);

/** A picture for a stream only watches: it must not carry the seat of whoever is signed in here. */
export const overlaid = (): boolean => new URLSearchParams(location.search).get('overlay') === '1';

class Hall {
  line = $state<LineState>('connecting');
  everOpen = $state(false);
  readonly talk = new Talk({
    dial: () => new WebSocket(link(overlaid() ? '/ws?stranger' : '/ws')),
    later: (run, ms) => window.setTimeout(run, ms),
    forget: (timer) => clearTimeout(timer),
    now: () => Date.now(),
    state: (state) => this.is(state),
  });

  start(): void {
    this.talk.connect();
    addEventListener('online', () => this.talk.hurry());
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.talk.hurry());
  }

  /** The hall's clock, by which all deadlines are told. */
  now(): number {
    return this.talk.now();
  }

  ask<T>(message: Ask): Promise<T> {
    return this.talk.ask<T>(ONCE.has(message.do) ? { once: randomHex(12), ...message } : message);
  }

  private is(state: LineState): void {
    this.line = state;
    if (state === 'open') this.everOpen = true;
  }
}

export const hall = new Hall();
