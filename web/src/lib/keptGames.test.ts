import { expect, test } from 'vitest';
import { canReplay, MOST_BYTES, MOST_BYTES_EACH, MOST_GAMES, surplus, textOf, type KeptGame } from './keptGames';

const row = (at: number, bytes = 1000): { id: string; at: number; bytes: number } => ({ id: `t${at}`, at, bytes });

test('the newest games are kept, so many of them', () => {
  const rows = Array.from({ length: MOST_GAMES + 3 }, (_, at) => row(at));
  expect(surplus(rows)).toEqual(['t2', 't1', 't0']);
  expect(surplus(rows.slice(3))).toEqual([]);
});

test('and so many bytes of them: what is older than that goes, whatever its own size', () => {
  expect(surplus([row(1, 10), row(2, MOST_BYTES - 100), row(3, 200)])).toEqual(['t2', 't1']);
  expect(surplus([row(2, MOST_BYTES - 200), row(3, 200)])).toEqual([]);
});

const game = (bytes: number, log = 10): KeptGame => ({
  ...{ id: 't', at: 1, shown: {} as KeptGame['shown'], record: {} },
  updates: [{ n: 1, at: 1, events: [{ event: 'x'.repeat(log), to: null }], entries: 1, view: { board: 'x'.repeat(bytes) } }],
});

test('a game that is too long for its board to be kept keeps its log, and one whose log is too long is not kept', () => {
  const kept = (one: KeptGame): KeptGame => JSON.parse(textOf(one)!) as KeptGame;
  expect(canReplay(kept(game(1000)))).toBe(true);
  const bare = kept(game(MOST_BYTES_EACH));
  expect(canReplay(bare)).toBe(false);
  expect(bare.updates[0]!.entries).toBe(1);
  expect(textOf(game(10, MOST_BYTES_EACH))).toBe(null);
});
