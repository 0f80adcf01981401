/** The hall this page belongs to: one line to it, and what the line looks like now. */
import { language } from './language.svelte';
import { link } from './router.svelte';
import { randomHex } from './seal';
import { Talk, type Ask, type LineState } from './socket';

/** What changes something carries an id of its own: sent twice, it is done once. */
const ONCE = new Set([
  'open', 'act', 'sit', 'words', 'stand', 'start', 'leave', 'reclaim', 'bots', 'hint', 'rematch', 'continue', 'decline', 'abandon', 'remove', 'close',
]);

/** A picture for a stream only watches: it must not carry the seat of whoever is signed in here. */
export const overlaid = (): boolean => new URLSearchParams(location.search).get('overlay') === '1';

const AWAY_MS = 2500;

class Hall {
  line = $state<LineState>('connecting');
  everOpen = $state(false);
  away = $state(false); // for so long that people should know what works without it
  private awayTimer: ReturnType<typeof setTimeout> | undefined;
  readonly talk = new Talk({
    dial: () => new WebSocket(link(overlaid() ? '/ws?stranger' : '/ws')),
    later: (run, ms) => window.setTimeout(run, ms),
    forget: (timer) => clearTimeout(timer),
    now: () => Date.now(),
    language: () => language.code,
    state: (state) => this.is(state),
  });

  start(): void {
    this.talk.connect();
    addEventListener('online', () => this.talk.hurry());
    addEventListener('offline', () => this.talk.restart()); // a dead line looks open for long; where it is alive, it is back at once
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
    if (state !== 'open') {
      this.awayTimer ??= setTimeout(() => (this.away = true), AWAY_MS);
      return;
    }
    clearTimeout(this.awayTimer);
    this.awayTimer = undefined;
    [this.everOpen, this.away] = [true, false];
  }
}

export const hall = new Hall();
