/** What each game brings to be played back, fetched with its board. */
import type { GamePlayback } from './playback';

const FILES = import.meta.glob<GamePlayback>('../games/*/playback.ts', { import: 'playback' });

/** Null for a game whose positions are not worth following one by one. */
export const playbackOf = (game: string): Promise<GamePlayback | null> =>
  FILES[`../games/${game}/playback.ts`]?.() ?? Promise.resolve(null);
