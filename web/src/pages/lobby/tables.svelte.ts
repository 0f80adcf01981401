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
    const [lobbies, playing, mine] = await Promise.all([
      find('lobby', game),
      find('playing', game),
      session.me ? get<{ tables: FoundTable[] }>('/api/me/tables').catch(() => null) : { tables: [] },
    ]);
    if (mine) this.mine = mine.tables.filter((table) => !game || table.game === game);
    const waiting = new Set(this.mine.map((table) => table.id));
    if (lobbies && playing) this.open = [...lobbies, ...playing].filter((table) => !waiting.has(table.id));
  }
}

/** Asked phase by phase, tables with somebody present come first; null where the hall does not answer. */
const find = (phase: string, game?: string): Promise<FoundTable[] | null> =>
  hall
    .ask<{ tables: FoundTable[] }>({ do: 'find', phase, ...(game ? { game } : {}) })
    .then(({ tables }) => tables)
    .catch(() => null);
