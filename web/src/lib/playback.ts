/** Updates, played back one after the other at a pace that people can follow. */
import type { EventTold, Update } from './types';

export type Speed = 'slow' | 'normal' | 'fast' | 'instant';

/** How long something stays before the next thing happens, in ms. */
const PAUSES: Record<Speed, number> = { slow: 2000, normal: 1100, fast: 450, instant: 0 };
/** My own result stays long enough to be read, for I was looking at the button. */
const OWN_PAUSES: Record<Speed, number> = { slow: 3000, normal: 2000, fast: 900, instant: 0 };
const BUST_MS = 1500;
const END_MS = 1500; // the last move is seen before the result is
const MOST_BEHIND: Record<Speed, number> = { slow: 24_000, normal: 14_000, fast: 6000, instant: 0 }; // ms of pauses at once
const MOST_QUEUED = 80; // updates; from there on only the end is worth seeing

/** What the rules of one game mean for the page that plays them back; the hall's own view replaces it at the end. */
export interface GamePlayback<View = Record<string, unknown>> {
  /** A view as the game begins, made from a later one and the house rules. */
  start(later: View, rules: Record<string, number | null>): View;
  /** Whether an event begins a turn. */
  begins(event: EventTold): boolean;
  /** The view after an event. */
  fold(view: View, event: EventTold): View;
  /** One line about what somebody did in this turn, from its events: "Mira keeps 5 5 for 100 and banks 350".
   * Whoever comes in the middle of a turn has not heard whose it is; the position says so. */
  caption(events: readonly EventTold[], names: readonly string[], onTurn?: number): string;
  /** Whether what my own move brought was up to the dice, and is worth reading before the next one plays; no if left out. */
  surprises?(event: EventTold): boolean;
  /** Whether the clock ended somebody's turn; no if left out. */
  isLate?(event: EventTold): boolean;
  /** The points that a bust lost; null for everything else. */
  bust(event: EventTold): number | null;
}

/** What a playback needs of the table it plays for. */
export interface Stage {
  /** Throw the dice of an update, and tell what happened when they lie still. */
  play(update: Update): Promise<void>;
  /** Show the position after it. */
  show(update: Update): void;
  /** Everything that was heard is shown. */
  rest(): void;
  /** Whether an update is somebody else's move, which one wants to follow. */
  isFollowed(update: Update): boolean;
  /** Whether an update is a result of my own that I want to read. */
  isRead(update: Update): boolean;
  isBust(update: Update): boolean;
  /** Whether an update ends the game with something that one wants to see. */
  isEnd(update: Update): boolean;
  speed(): Speed;
  /** How long all pauses from now on may take, because a clock runs meanwhile. */
  mostBehind(): number;
}

interface Timing {
  now(): number;
  later(run: () => void, ms: number): void;
  isHidden(): boolean;
}

const TIMING: Timing = {
  now: () => performance.now(),
  later: (run, ms) => void setTimeout(run, ms),
  isHidden: () => typeof document !== 'undefined' && document.visibilityState === 'hidden',
};

export class Playback {
  presented = 0; // the number of the last update that is shown
  private queue: Update[] = [];
  private running = false;
  private nextAt = 0; // nothing new before this moment
  private wake: () => void = () => {};
  private waiting: { n: number; done: () => void }[] = [];
  private mayGoOn: Promise<void> = Promise.resolve();
  private ended = false;

  constructor(
    private readonly stage: Stage,
    private readonly timing: Timing = TIMING,
  ) {}

  get isBehind(): boolean {
    return this.running || this.queue.length > 0;
  }

  add(update: Update): void {
    this.queue.push(update);
    void this.run();
  }

  /** Until an update is shown. */
  reached(n: number): Promise<void> {
    if (n <= this.presented) return Promise.resolve();
    return new Promise((done) => void this.waiting.push({ n, done }));
  }

  /** Everything up to this number was shown otherwise. */
  skipTo(n: number): void {
    this.presented = Math.max(this.presented, n);
    for (const one of this.waiting.filter(({ n }) => n <= this.presented)) one.done();
    this.waiting = this.waiting.filter(({ n }) => n > this.presented);
  }

  /** No more pauses for what is queued: nobody looks, or somebody has seen enough. */
  hurry(): void {
    this.nextAt = 0;
    this.wake();
  }

  /** Nobody looks any more, and nobody comes back: nothing is played from here on. */
  end(): void {
    this.ended = true;
    this.queue = [];
    this.hurry();
  }

  /** Nothing new is played until the answer is called: somebody has something to read first. */
  hold(): () => void {
    let release: () => void = () => {};
    this.mayGoOn = new Promise((done) => (release = done));
    return release;
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      await this.mayGoOn;
      await this.pause();
      if (this.ended) return;
      await this.stage.play(next);
      if (this.ended) return;
      if (this.stage.isBust(next)) await this.stay(Math.min(BUST_MS, this.stage.mostBehind()));
      if (this.stage.isEnd(next)) await this.stay(END_MS);
      if (this.ended) return;
      this.stage.show(next);
      this.nextAt = this.timing.now() + this.pauseAfter(next);
      this.skipTo(next.n);
    }
    this.running = false;
    this.stage.rest();
  }

  private pauseAfter(update: Update): number {
    const speed = this.stage.speed();
    if (speed === 'instant' || this.timing.isHidden() || this.queue.length > MOST_QUEUED) return 0;
    const share = Math.min(MOST_BEHIND[speed], this.stage.mostBehind()) / Math.max(1, this.queue.length);
    if (this.stage.isBust(update)) return 0;
    if (this.stage.isRead(update)) return Math.min(OWN_PAUSES[speed], share);
    return this.stage.isFollowed(update) ? Math.min(PAUSES[speed], share) : 0;
  }

  private async pause(): Promise<void> {
    await this.stay(this.nextAt - this.timing.now());
  }

  private async stay(ms: number): Promise<void> {
    if (ms <= 0 || this.timing.isHidden() || this.stage.speed() === 'instant') return;
    await new Promise<void>((done) => {
      this.wake = done;
      this.timing.later(done, ms);
    });
  }
}
