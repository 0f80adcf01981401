/** The updates of a finished table as spectators heard them, each with what they saw after it. */
import { get } from './http';
import type { ReplayShown, ReplayUpdate } from './types';

const MOST_PAGES = 100; // of updates; no table has more

export const pathOf = (id: string): string => `/api/tables/${encodeURIComponent(id)}`;

export async function pagesOf(id: string): Promise<ReplayUpdate[]> {
  const updates: ReplayUpdate[] = [];
  for (let [since, pages] = [0, 0]; pages < MOST_PAGES; pages++) {
    const page = await get<ReplayShown>(`${pathOf(id)}/replay?since=${since}`);
    updates.push(...page.updates);
    if (page.n >= page.last || page.updates.length === 0) break;
    since = page.n;
  }
  return updates;
}
