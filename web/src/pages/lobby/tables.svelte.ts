/** The lists of the lobby, kept fresh while somebody looks at them. */
import { hall } from '../../lib/hall.svelte';
import { get } from '../../lib/http';
import { session } from '../../lib/session.svelte';
import type { FoundTable } from '../../lib/types';

const EVERY = 4000;

export class Lists {
  open = $state.raw<FoundTable[] | null>(null); // null: not known yet
  mine = $state.raw<FoundTable[]>([]);

  /** Looks now and then again; answers what stops it. */
  follow(game?: string): () => void {
    void this.look(game);
    const timer = setInterval(() => document.visibilityState === 'visible' && void this.look(game), EVERY);
    return () => clearInterval(timer);
  }

  private async look(game?: string): Promise<void> {
    const asked = { do: 'find', ...(game ? { game } : {}) };
    const [found, mine] = await Promise.all([
      hall.ask<{ tables: FoundTable[] }>(asked).catch(() => null),
      session.me ? get<{ tables: FoundTable[] }>('/api/me/tables').catch(() => null) : { tables: [] },
    ]);
    if (mine) this.mine = mine.tables.filter((table) => !game || table.game === game);
    const waiting = new Set(this.mine.map((table) => table.id));
    const going = (table: FoundTable): boolean => table.phase === 'lobby' || table.phase === 'playing';
    if (found) this.open = found.tables.filter((table) => going(table) && !waiting.has(table.id));
  }
}
