import { beforeEach, expect, test } from 'vitest';
import type { Follower } from './following';
import { Refused } from './http';
import { Talk, type LineState } from './socket';
import type { TableShown, Update } from './types';

/** One end of a socket; the test is the hall at the other. */
class Line {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (() => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  tell(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  /** Answer the request of this kind that was sent last. */
  answer(kind: string, ok: unknown): void {
    this.tell({ re: this.asked(kind)['id'], ok });
  }
  refuse(kind: string, code: string): void {
    this.tell({ re: this.asked(kind)['id'], error: { code, message: `${code}.` } });
  }
  asked(kind: string): Record<string, unknown> {
    const found = this.sent.findLast((message) => message['do'] === kind);
    if (!found) throw new Error(`nobody asked ${kind}`);
    return found;
  }
  get kinds(): unknown[] {
    return this.sent.map((message) => message['do']);
  }
}

let lines: Line[];
let states: LineState[];
let time: number;
let timers: { at: number; run: () => void; id: number }[];
let talk: Talk;
let language: string;

beforeEach(() => {
  [lines, states, time, timers, language] = [[], [], 1000, [], 'en'];
  let id = 0;
  talk = new Talk({
    dial: () => {
      lines.push(new Line());
      return lines.at(-1) as unknown as WebSocket;
    },
    later: (run, ms) => {
      timers.push({ at: time + ms, run, id: ++id });
      return id;
    },
    forget: (timer) => (timers = timers.filter((one) => one.id !== timer)),
    now: () => time,
    language: () => language,
    state: (state) => states.push(state),
  });
  talk.connect();
});

function pass(ms: number): void {
  const till = time + ms;
  for (;;) {
    const next = timers.filter(({ at }) => at <= till).sort((a, b) => a.at - b.at)[0];
    if (!next) break;
    timers = timers.filter((one) => one !== next);
    time = next.at;
    next.run();
  }
  time = till;
}

const settled = (): Promise<void> => new Promise((done) => setTimeout(done));
const line = (): Line => lines.at(-1)!;

async function open(): Promise<Line> {
  line().onopen();
  line().answer('hello', { version: 1, now: 5000 });
  await settled();
  return line();
}

class Ear implements Follower {
  told: string[] = [];
  seen = (table: TableShown): void => void this.told.push(`seen ${table.n}`);
  heard = (update: Update): void => void this.told.push(`heard ${update.n}`);
  noticed = (notice: Record<string, unknown>): void => void this.told.push(`noticed ${Object.keys(notice)[1]}`);
  refused = (code: string): void => void this.told.push(`refused ${code}`);
}

const update = (n: number): object => ({ table: 't', n, at: 0, events: [] });

test('it says hello first, learns the clock of the hall, and is open', async () => {
  await open();
  expect(line().kinds).toEqual(['hello']);
  expect(talk.now()).toBe(5000);
  expect(states).toEqual(['connecting', 'open']);
});

test('what is asked before the line is open goes out when it is', async () => {
  const games = talk.ask({ do: 'games' });
  expect(line().sent).toEqual([]);
  await open();
  line().answer('games', ['wards']);
  expect(await games).toEqual(['wards']);
});

test('a refusal has its code and its sentence', async () => {
  await open();
  const asked = talk.ask({ do: 'act', table: 't', move: 'roll' });
  line().refuse('act', 'not_your_turn');
  const error = await asked.catch((error: unknown) => error);
  expect((error as Refused).refusal).toEqual({ code: 'not_your_turn', message: 'not_your_turn.' });
});

test('an unanswered request is sent again after the line was lost, the same in every word', async () => {
  const before = await open();
  const asked = talk.ask<{ n: number }>({ do: 'act', table: 't', move: 'roll', once: 'b194' });
  before.onclose!();
  expect(states.at(-1)).toBe('lost');
  pass(100);
  const after = await open();
  expect(after.asked('act')).toEqual(before.asked('act'));
  after.answer('act', { n: 9 });
  expect(await asked).toEqual({ n: 9 });
});

test('an answered request is not sent again', async () => {
  const before = await open();
  const asked = talk.ask({ do: 'games' });
  before.answer('games', []);
  await asked;
  before.onclose!();
  pass(100);
  expect((await open()).kinds).toEqual(['hello']);
});

test('it waits longer each time the hall is not there, and at most 5 seconds', () => {
  const pauses = Array.from({ length: 9 }, () => {
    const dialled = lines.length;
    line().onclose!();
    const from = time;
    while (lines.length === dialled) pass(100);
    return time - from;
  });
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
});

test('after a goodbye it comes back when it was told to', async () => {
  (await open()).tell({ bye: 'The hall restarts.', retry_ms: 1000 });
  line().onclose!();
  pass(999);
  expect(lines.length).toBe(1);
  pass(1);
  expect(lines.length).toBe(2);
});

test('it does not wait when the network says that it is back', async () => {
  (await open()).onclose!();
  talk.hurry();
  expect(lines.length).toBe(2);
  pass(60_000 - 1);
});

test('a line that says nothing is lost after ten seconds', async () => {
  const before = await open();
  void talk.ask({ do: 'games' });
  pass(9_999);
  expect(before.closed).toBe(false);
  pass(1);
  expect(before.closed).toBe(true);
  expect(states.at(-1)).toBe('lost');
});

test('a quiet line is asked whether it is still there, and is kept if it answers', async () => {
  const before = await open();
  pass(20_000);
  before.answer('ping', { now: 0 });
  pass(15_000);
  expect(before.closed).toBe(false);
  expect(before.kinds).toEqual(['hello', 'ping']);
});

test('while the hall shuts down a request waits and is asked again', async () => {
  await open();
  const asked = talk.ask({ do: 'act', table: 't', move: 'roll', once: 'x' });
  line().refuse('act', 'shutting_down');
  line().onclose!();
  pass(100);
  await open();
  line().answer('act', { n: 3 });
  expect(await asked).toEqual({ n: 3 });
});

test('a table is told from its first act on, once and in order', async () => {
  await open();
  const ear = new Ear();
  talk.follow('t', ear);
  expect(line().asked('watch')).toMatchObject({ table: 't', since: 0 });
  line().tell(update(3)); // comes before the answer
  line().answer('watch', { table: { n: 2 }, updates: [update(1), update(2)] });
  await settled();
  line().tell(update(4));
  expect(ear.told).toEqual(['heard 1', 'heard 2', 'heard 3', 'seen 2', 'heard 4']);
});

test('after a lost line it goes on behind the last number it heard', async () => {
  await open();
  const ear = new Ear();
  talk.follow('t', ear);
  line().answer('watch', { table: { n: 1 }, updates: [update(1)] });
  await settled();
  line().tell(update(2));
  line().onclose!();
  pass(100);
  await open();
  expect(line().asked('watch')['since']).toBe(2);
  line().tell(update(4));
  line().answer('watch', { table: { n: 4 }, updates: [update(3), update(4)] });
  await settled();
  expect(ear.told).toEqual(['heard 1', 'seen 1', 'heard 2', 'heard 3', 'heard 4', 'seen 4']);
});

test('a number that is missing is asked for, and nothing is told out of order', async () => {
  await open();
  const ear = new Ear();
  talk.follow('t', ear);
  line().answer('watch', { table: { n: 1 }, updates: [update(1)] });
  await settled();
  line().tell(update(3));
  expect(line().asked('watch')['since']).toBe(1);
  line().answer('watch', { table: { n: 3 }, updates: [update(2), update(3)] });
  await settled();
  expect(ear.told).toEqual(['heard 1', 'seen 1', 'heard 2', 'heard 3', 'seen 3']);
});

test('a table that cannot be watched says why, and notices are passed on', async () => {
  await open();
  const ear = new Ear();
  talk.follow('t', ear);
  line().refuse('watch', 'no_such_table');
  await settled();
  line().tell({ table: 't', taken_over: true });
  expect(ear.told).toEqual(['refused no_such_table', 'noticed taken_over']);
});

test('a table that is not followed any more is not heard, and the hall is told', async () => {
  await open();
  const ear = new Ear();
  const stop = talk.follow('t', ear);
  line().answer('watch', { table: { n: 0 }, updates: [] });
  await settled();
  stop();
  line().tell(update(1));
  expect(ear.told).toEqual(['seen 0']);
  expect(line().asked('unwatch')['table']).toBe('t');
});

test('who comes in as somebody else gets a new line at once', async () => {
  const before = await open();
  talk.restart();
  pass(0);
  expect(before.closed).toBe(true);
  expect(lines.length).toBe(2);
});

test('the hall hears in which language to answer', () => {
  language = 'de';
  talk.connect();
  lines.at(-1)!.onopen();
  expect(lines.at(-1)!.asked('hello')).toMatchObject({ version: 1, language: 'de' });
});
