/**
 * Finished games that this browser keeps, so that they can be shown without a connection: the newest of those that its
 * person played or watched. They lie in IndexedDB, and go when somebody signs out.
 */
import { prefix } from './router.svelte';
import type { Coached, ReplayUpdate, TableShown } from './types';

export interface KeptGame {
  id: string; // of the table
  at: number; // when it ended, in ms
  shown: TableShown; // as it stood in the end, seen by whoever kept it
  updates: ReplayUpdate[]; // without what was seen after each, where that would be too much
  record: Record<string, unknown>;
  report?: Coached; // of the coach, if there was one
}

/** Whether a game can be shown on its board; of one that was kept by an older page, or is very long, there is the log only. */
export const canReplay = (game: KeptGame): boolean => game.updates.some((update) => update.view);

export const MOST_GAMES = 20;
export const MOST_BYTES = 4_000_000; // of all of them, as JSON
export const MOST_BYTES_EACH = 1_000_000;

interface Row {
  id: string;
  at: number;
  text: string; // the game as JSON: its length is what it takes
}

const STORE = 'games';

/** Which of these rows are too many, the oldest first. */
export function surplus(rows: readonly { id: string; at: number; bytes: number }[]): string[] {
  const newest = [...rows].sort((a, b) => b.at - a.at);
  let bytes = 0;
  return newest.filter((row, i) => (bytes += row.bytes) > MOST_BYTES || i >= MOST_GAMES).map((row) => row.id);
}

/** The newest first; [] where the browser keeps nothing. */
export async function keptGames(): Promise<KeptGame[]> {
  const rows = await run<Row[]>('readonly', (store) => store.getAll()).catch(() => []);
  return rows.sort((a, b) => b.at - a.at).flatMap(read);
}

export async function keptGame(id: string): Promise<KeptGame | null> {
  const row = await run<Row | undefined>('readonly', (store) => store.get(id)).catch(() => undefined);
  return (row && read(row)[0]) ?? null;
}

/** Keep a game, and drop the oldest where there is no room for it; a browser that keeps nothing is fine, too. */
export async function keepGame(game: KeptGame): Promise<void> {
  const text = textOf(game);
  if (text === null) return;
  try {
    await run('readwrite', (store) => store.put({ id: game.id, at: game.at, text } satisfies Row));
    const rows = await run<Row[]>('readonly', (store) => store.getAll());
    for (const id of surplus(rows.map((row) => ({ ...row, bytes: row.text.length })))) await run('readwrite', (store) => store.delete(id));
  } catch {
    // private windows may forbid it, and a disk may be full
  }
}

/** Keep what the coach says of a game that is kept. */
export async function keepReport(id: string, report: Coached): Promise<void> {
  const game = await keptGame(id);
  if (game) await keepGame({ ...game, report });
}

/** A game as it is stored: without views and report where it would take too much; null where that is not enough. */
export function textOf(game: KeptGame): string | null {
  const { report: _, ...bare } = { ...game, updates: game.updates.map(({ view: _, ...update }) => update) };
  return [game, bare].map((one) => JSON.stringify(one)).find((text) => text.length <= MOST_BYTES_EACH) ?? null;
}

export async function forgetGames(): Promise<void> {
  await run('readwrite', (store) => store.clear()).catch(() => {});
}

/** A row that another version wrote, or nobody, is no game. */
function read(row: Row): KeptGame[] {
  try {
    const game = JSON.parse(row.text) as KeptGame;
    return game.shown?.over && Array.isArray(game.updates) ? [game] : [];
  } catch {
    return [];
  }
}

async function run<T = unknown>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await open();
  try {
    return await answered<T>(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** Each hall of an address has its own. */
function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(`dicehall${prefix}`, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' });
  return answered(opening);
}

const answered = <T>(request: IDBRequest): Promise<T> =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result as T);
    request.onerror = () => failed(request.error);
  });
