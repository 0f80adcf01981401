/** A game that has ended is kept in this browser, with all that shows it without a connection. */
import { get } from '../../lib/http';
import { keepGame, keepReport, keptGame } from '../../lib/keptGames';
import { pagesOf, pathOf } from '../../lib/replayPages';
import type { TableShown } from '../../lib/types';
import { askedReport } from './coach/report';

export async function keepFinished(shown: TableShown): Promise<void> {
  try {
    const [updates, record] = await Promise.all([pagesOf(shown.id), get<Record<string, unknown>>(`${pathOf(shown.id)}/record`)]);
    const known = (await keptGame(shown.id))?.report; // of a table that somebody looks at again
    await keepGame({ id: shown.id, at: updates.at(-1)?.at ?? shown.now, shown, updates, record, ...(known && { report: known }) });
    const report = await askedReport(shown.id); // which may have come before there was a game to keep it with
    if (report && !known) await keepReport(shown.id, report);
  } catch {
    // without a connection now there is nothing to keep; the game is still in its person's history
  }
}
