/** Opening tables: at once against bots, or as somebody chose. */
import { hall } from '../../lib/hall.svelte';
import { refusalOf, type Refusal } from '../../lib/http';
import { suggestedName } from '../../lib/names';
import { router } from '../../lib/router.svelte';
import { session } from '../../lib/session.svelte';
import type { GameShown, TableShown } from '../../lib/types';
import { wanted } from '../table/wantedTables';
import type { WebhookWanted } from './webhook';

export interface Wanted {
  game: string;
  name?: string;
  rules?: Record<string, number | null>;
  seats?: number;
  visibility?: 'public' | 'link';
  password?: string;
  hints?: boolean;
  drawn?: boolean;
  reactions?: boolean;
  webhook?: WebhookWanted;
  bots?: { seat: number; level: string }[];
}

/** Bots of a level in every seat but the first. */
export const botsIn = (seats: number, level: string, from = 1): { seat: number; level: string }[] =>
  Array.from({ length: Math.max(0, seats - from) }, (_, i) => ({ seat: i + from, level }));

/** Opens a table and goes there; whoever has no name yet gets the one that is given. */
export async function openTable(asked: Wanted, guest = suggestedName()): Promise<Refusal | null> {
  try {
    if (!session.me) await session.guest(guest);
    const opened = await hall.ask<TableShown>({ do: 'open', ...asked });
    wanted.add(opened.id); // whoever opens a table sits there
    router.go(`/t/${opened.id}`);
    return null;
  } catch (error) {
    return refusalOf(error);
  }
}

/** A game against bots, right now. */
export const playNow = (game: GameShown, level: string, seats: number = game.seats.least): Promise<Refusal | null> =>
  openTable({ game: game.game, seats, bots: botsIn(seats, level), visibility: 'link' });
