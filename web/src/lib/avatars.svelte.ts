/** The avatars of people at a table, each asked for once. */
import { get } from './http';
import { session } from './session.svelte';
import type { AccountShown } from './types';

class Avatars {
  private known = $state.raw<Record<string, string | null>>({});
  private asked = new Set<string>();

  /** The avatar of an account; null until it is known. */
  of(account: string | null): string | null {
    if (account === null) return null;
    if (account === session.me?.id) return session.me.avatar;
    return this.known[account] ?? null;
  }

  async ask(account: string | null): Promise<void> {
    if (!account || account === session.me?.id || this.asked.has(account)) return;
    this.asked.add(account);
    try {
      const player = await get<{ account: AccountShown }>(`/api/players/${encodeURIComponent(account)}`);
      this.known = { ...this.known, [account]: player.account.avatar };
    } catch {
      this.asked.delete(account); // without one their name gives them a face
    }
  }
}

export const avatars = new Avatars();
