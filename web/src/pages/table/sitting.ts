/** Sitting down, whoever one is. */
import { refusalOf, type Refusal } from '../../lib/http';
import { suggestedName } from '../../lib/names';
import { session } from '../../lib/session.svelte';
import type { LiveTable } from '../../lib/table.svelte';

export interface Wish {
  seat?: number | undefined;
  name?: string; // for who has none yet
  typed?: string; // words for the dice
  password?: string | undefined;
}

export async function sitDown(table: LiveTable, wish: Wish = {}): Promise<Refusal | null> {
  try {
    if (!session.me) await session.guest(wish.name?.trim() ?? suggestedName());
    return await table.sit(wish.seat, wish.typed ?? '', wish.password || undefined);
  } catch (error) {
    return refusalOf(error);
  }
}
