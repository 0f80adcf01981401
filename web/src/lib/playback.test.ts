import { expect, test } from 'vitest';
import { Playback, type Speed, type Stage } from './playback';
import type { Update } from './types';

const update = (n: number, ...events: string[]): Update => ({ n, at: 0, events: events.map((event) => ({ event, to: null })) });

/** A stage that notes what is shown when, on a clock that jumps from pause to pause. */
function stage(speed: Speed, hidden = false, until = Infinity) {
  const shown: [n: number, at: number][] = [];
  let now = 0;
  const on: Stage = {
    play: async () => {},
    show: ({ n }) => void shown.push([n, now]),
    rest: () => {},
    isFollowed: ({ events }) => events.some(({ event }) => event !== 'Mine' && event !== 'Backfired'),
    isRead: ({ events }) => events.some(({ event }) => event === 'Backfired'),
    isBust: ({ events }) => events.some(({ event }) => event === 'Lost'),
    isEnd: ({ events }) => events.some(({ event }) => event === 'Won'),
    speed: () => speed,
    mostBehind: () => Math.max(0, until - now),
  };
  const later = (run: () => void, ms: number): void => {
    now += ms;
    queueMicrotask(run);
  };
  return { shown, playback: new Playback(on, { now: () => now, later, isHidden: () => hidden }) };
}

async function played(speed: Speed, updates: Update[], hidden = false, until = Infinity): Promise<[number, number][]> {
  const { shown, playback } = stage(speed, hidden, until);
  for (const one of updates) playback.add(one);
  await playback.reached(updates.at(-1)!.n);
  return shown;
}

test('my own move waits for nothing, and each move of somebody else stays for a while', async () => {
  expect(await played('normal', [update(1, 'Mine'), update(2, 'Rolled'), update(3, 'Held')])).toEqual([[1, 0], [2, 0], [3, 1100]]);
});

test('what my own roll brought stays at least as long as a move of somebody else', async () => {
  expect(await played('normal', [update(1, 'Backfired'), update(2, 'Rolled')])).toEqual([[1, 0], [2, 2000]]);
  expect(await played('instant', [update(1, 'Backfired'), update(2, 'Rolled')])).toEqual([[1, 0], [2, 0]]);
});

test('after a bust the position changes when it has been felt', async () => {
  expect(await played('fast', [update(1, 'Lost'), update(2, 'Rolled')])).toEqual([[1, 1500], [2, 1500]]);
});

test('the last move of a game is seen before its result', async () => {
  expect(await played('fast', [update(1, 'Held', 'Won')])).toEqual([[1, 1500]]);
});

test('nothing more is shown when the page has been left', async () => {
  const { shown, playback } = stage('normal');
  playback.add(update(1, 'Rolled'));
  playback.add(update(2, 'Rolled'));
  await playback.reached(1);
  playback.end();
  await new Promise((done) => setTimeout(done));
  expect(shown).toEqual([[1, 0]]);
});

test('nothing is played while it is held, and everything afterwards', async () => {
  const { shown, playback } = stage('instant');
  const release = playback.hold();
  playback.add(update(1, 'Rolled'));
  await new Promise((done) => setTimeout(done));
  expect(shown).toEqual([]);
  release();
  await playback.reached(1);
  expect(shown).toEqual([[1, 0]]);
});

test('whoever wants no pauses, or does not look, gets none', async () => {
  const bots = [update(1, 'Rolled'), update(2, 'Lost'), update(3, 'Rolled')];
  expect((await played('instant', bots)).at(-1)).toEqual([3, 0]);
  expect((await played('slow', bots, true)).at(-1)).toEqual([3, 0]);
});

test('while my clock runs, neither pauses nor busts of others take more than their share of it', async () => {
  const turn = [update(1, 'Rolled'), update(2, 'Rolled'), update(3, 'Rolled'), update(4, 'Lost'), update(5, 'Started')];
  const [, end] = (await played('slow', turn, false, 2000)).at(-1)!;
  expect(end).toBeLessThanOrEqual(2000);
});

test('a long queue is played faster, and one while my clock runs faster still', async () => {
  const long = Array.from({ length: 50 }, (_, i) => update(i + 1, 'Rolled'));
  const [, end] = (await played('normal', long)).at(-1)!;
  expect(end).toBeLessThan(50 * 1100);
  const [, soon] = (await played('normal', long, false, 1000)).at(-1)!;
  expect(soon).toBeLessThan(end / 2);
});
