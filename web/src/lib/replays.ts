/** Where replays come from: a table of this hall, a game that this browser keeps, or a record that somebody has as a file. */
import { get, post, Refused } from './http';
import { kept } from './kept';
import type { KeptGame } from './keptGames';
import { playbackOf } from './playbacks';
import { checkRecord, type GameRecord } from './record';
import { Replay } from './replay.svelte';
import { pagesOf, pathOf } from './replayPages';
import { keptAs, TableDice, type Kept } from './tableDice';
import type { RecordShown, ReplayUpdate, SealCheck, SeatShown, TableShown } from './types';
import { wordsOf } from './words';

/** A record that was uploaded, with what the hall says of it. */
export interface Uploaded {
  replay: Replay;
  refused: string | null;
  check: SealCheck | null;
}

export async function replayOfTable(id: string): Promise<Replay> {
  const shown = await get<TableShown>(pathOf(id));
  try {
    return await replayOf(shown, await pagesOf(id));
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== 'no_such_table') throw error;
    const record = await get<GameRecord>(`${pathOf(id)}/record`); // of a table whose acts were not kept yet
    return (await replayOfRecord(record, shown)).replay;
  }
}

/** Without a question to the hall: the games' words and boards are files of the page. */
export const replayOfKept = ({ shown, updates }: KeptGame): Promise<Replay> => replayOf(shown, updates);

async function replayOf(shown: TableShown, updates: readonly ReplayUpdate[]): Promise<Replay> {
  const dice = new TableDice(shown.id, () => kept<Kept>(keptAs(shown.id)), () => shown.me !== null);
  const [words, game] = await Promise.all([wordsOf(shown.game), playbackOf(shown.game)]);
  const checks = (update: ReplayUpdate): typeof dice.checks => (dice.hear(update), dice.checks);
  return new Replay({ shown, updates, checks, unfair: () => dice.unfair, words, game });
}

export async function replayOfRecord(record: GameRecord, table?: TableShown): Promise<Uploaded> {
  const found = await post<RecordShown>('/api/replay', record);
  const [words, game] = await Promise.all([wordsOf(found.game), playbackOf(found.game)]);
  const all = record.seal ? checkRecord(record) : { rolls: [], why: '' };
  let count = [record.seal, ...(record.origins ?? []).map((origin) => origin.seal)].filter((seal) => seal?.drawn).length;
  const checks = (update: ReplayUpdate): typeof all.rolls => all.rolls.slice(0, (count += update.rolls?.length ?? 0));
  const shown = table ?? tableOf(found);
  const replay = new Replay({ shown, updates: found.updates, checks, unfair: () => all.why, words, game });
  return { replay, refused: found.refused, check: found.check };
}

/** A record as a table would be shown; nobody sits there whom this hall knows. */
function tableOf({ game, rules, names, updates }: RecordShown): TableShown {
  const over = updates.at(-1)?.over ?? null;
  return {
    ...{ id: '', name: names.join(' – '), game, rules, phase: over ? 'over' : 'abandoned', public: false, locked: false, opener: '' },
    ...{ hints: false, drawn: false, timed: false, practice: false, can_abandon: false, rated: false, unrated: null, before: null, origin: null, challenge: null, continued_in: [] },
    ...{ rematch: null, expected: [], declined: [], reactions: false, seal: null, asks_for_words: false, n: 0, now: 0, deadline: null, me: null, barred: null },
    ...{ view: null, choices: {}, points: {}, over, seats: names.map(seatOf) },
  };
}

const seatOf = (name: string, seat: number): SeatShown => ({
  ...{ seat, name, account: name, bot: null, level: null, asked_level: null, presence: 'here', grace_ends: null, bot_allowed_at: null },
});
