/** One conversation with the hall over as many sockets as it takes: every request is answered, nothing is lost. */
import { Following, type Follower } from './following';
import { Refused, type Refusal } from './http';
import type { TableShown, Update } from './types';

export type LineState = 'connecting' | 'open' | 'lost';

export interface Ask {
  do: string;
  table?: string;
  [field: string]: unknown;
}

interface Waiting {
  message: Ask & { id: number };
  done: (answer: never) => void;
  failed: (error: unknown) => void;
  greeting: boolean; // said anew on every socket
}

/** What a conversation needs from outside: sockets, time, and somebody to tell how the line is. */
export interface Outside {
  dial(): WebSocket;
  later(run: () => void, ms: number): number;
  forget(timer: number): void;
  now(): number;
  language(): string; // of the hall's sentences
  state(state: LineState): void;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;
const PING_EVERY = 20_000;
const PATIENCE = 10_000; // for an answer, before a silent line counts as lost
const LATER = new Set(['shutting_down', 'store_unavailable']); // asked again with the same `once`

export class Talk {
  offset = 0; // the hall's clock less ours, in ms
  private socket: WebSocket | null = null;
  private greeted = false;
  private lastId = 0;
  private pause = FIRST_PAUSE;
  private waiting = new Map<number, Waiting>();
  private followed = new Map<string, Following>();
  private timers: { redial?: number; ping?: number; patience?: number } = {};

  constructor(private readonly outside: Outside) {}

  now(): number {
    return this.outside.now() + this.offset;
  }

  /** Ask, and be answered, however often the line breaks in between; rejects with Refused. */
  ask<T>(message: Ask): Promise<T> {
    return this.say<T>(message, false);
  }

  /** Hear everything about a table from its first act on. */
  follow(table: string, follower: Follower): () => void {
    const following = new Following(table, follower);
    this.followed.set(table, following);
    if (this.greeted) this.watch(following);
    return () => {
      if (this.followed.get(table) !== following) return;
      this.followed.delete(table);
      if (this.greeted) this.ask({ do: 'unwatch', table }).catch(() => {});
    };
  }

  /** Watch a table anew: whoever watched last carries the seat. */
  again(table: string): void {
    const following = this.followed.get(table);
    if (following && this.greeted) this.watch(following);
  }

  connect(): void {
    this.outside.state('connecting');
    const socket = this.outside.dial();
    this.socket = socket;
    socket.onopen = () => this.greet();
    socket.onmessage = (event: MessageEvent<string>) => this.hear(JSON.parse(event.data));
    socket.onclose = () => this.lost(socket);
    this.beImpatient(); // a dial can hang, too
  }

  /** Come in anew, for instance as somebody else. */
  restart(): void {
    this.pause = 0;
    const socket = this.socket;
    if (socket) {
      socket.onclose = null;
      socket.close();
      this.lost(socket);
    }
  }

  /** The network may be back: do not wait for the pause to end. */
  hurry(): void {
    if (this.timers.redial === undefined) return;
    this.outside.forget(this.timers.redial);
    delete this.timers.redial;
    this.connect();
  }

  private say<T>(message: Ask, greeting: boolean): Promise<T> {
    const id = ++this.lastId;
    return new Promise<T>((done, failed) => {
      this.waiting.set(id, { message: { id, ...message }, done: done as (answer: never) => void, failed, greeting });
      if (this.greeted || greeting) this.send({ id, ...message });
    });
  }

  private send(message: object): void {
    this.socket?.send(JSON.stringify(message));
    this.beImpatient();
  }

  /** Answers come in the order of the questions, so all of them can go out at once. */
  private greet(): void {
    const unanswered = [...this.waiting.values()];
    const language = this.outside.language();
    this.say<{ now: number }>({ do: 'hello', version: 1, ...(language === 'en' ? {} : { language }) }, true)
      .then(({ now }) => {
        this.offset = now - this.outside.now();
        this.pause = FIRST_PAUSE;
        this.outside.state('open');
      })
      .catch(() => {});
    this.greeted = true;
    for (const following of this.followed.values()) this.watch(following);
    for (const { message } of unanswered) this.send(message);
  }

  private watch(following: Following): void {
    following.watching = false;
    const message = { do: 'watch', table: following.table, since: following.n };
    this.say<{ table: TableShown; updates: Update[]; spectators?: number }>(message, true)
      .then(({ table, updates, spectators }) => following.begin(table, updates, spectators))
      .catch((error: unknown) => {
        if (error instanceof Refused) following.follower.refused(error.refusal.code, error.refusal.message);
      });
  }

  private hear(message: Record<string, unknown>): void {
    this.beQuiet();
    if ('re' in message) this.answered(message as { re: number; ok?: unknown; error?: Refusal });
    else if ('bye' in message) this.pause = Number(message['retry_ms']);
    else this.told(message);
    if (this.waiting.size > 0) this.beImpatient();
  }

  private answered({ re, ok, error }: { re: number; ok?: unknown; error?: Refusal }): void {
    const asked = this.waiting.get(re);
    if (!asked) return;
    if (error && LATER.has(error.code) && !asked.greeting) {
      this.outside.later(() => this.waiting.has(re) && this.greeted && this.send(asked.message), 1000);
      return;
    }
    this.waiting.delete(re);
    if (error) asked.failed(new Refused(error));
    else asked.done(ok as never);
  }

  private told(message: Record<string, unknown>): void {
    const following = this.followed.get(String(message['table']));
    if (!following) return;
    if (!('n' in message)) return following.follower.noticed(message);
    following.offer(message as unknown as Update);
    if (following.gap) this.watch(following);
  }

  private lost(socket: WebSocket): void {
    if (this.socket !== socket) return;
    this.beQuiet();
    this.socket = null;
    this.greeted = false;
    for (const [id, asked] of this.waiting) if (asked.greeting) this.waiting.delete(id);
    for (const following of this.followed.values()) following.watching = false;
    this.outside.state('lost');
    const pause = this.pause;
    this.pause = Math.min(Math.max(pause * 2, FIRST_PAUSE), LONGEST_PAUSE);
    this.timers.redial = this.outside.later(() => {
      delete this.timers.redial;
      this.connect();
    }, pause);
  }

  /** Nothing to hear for long is a lost line, which a phone often does not tell. */
  private beImpatient(): void {
    if (this.timers.patience !== undefined) return;
    const socket = this.socket;
    this.timers.patience = this.outside.later(() => {
      delete this.timers.patience;
      if (!socket || this.socket !== socket) return;
      socket.onclose = null;
      socket.close();
      this.lost(socket);
    }, PATIENCE);
  }

  private beQuiet(): void {
    for (const name of ['patience', 'ping'] as const) {
      if (this.timers[name] !== undefined) this.outside.forget(this.timers[name]);
      delete this.timers[name];
    }
    this.timers.ping = this.outside.later(() => {
      delete this.timers.ping;
      if (this.greeted) this.say({ do: 'ping' }, true).catch(() => {});
    }, PING_EVERY);
  }
}
