/** All rolls of a game in one sentence. */
import { get } from '../lib/http';
import { t } from '../lib/language.svelte';
import type { GameRecord, RecordCheck } from '../lib/record';
import { pathOf } from '../lib/replayPages';
import type { RollCheck } from '../lib/seal';

export const isFair = (rolls: readonly RollCheck[], unfair = ''): boolean => rolls.length > 0 && unfair === '' && rolls.every((roll) => roll.fair);

export function verdictOf(rolls: readonly RollCheck[], unfair = '', uploaded = false): string {
  if (rolls.length === 0) return t('No dice were rolled, so there is nothing to check.');
  const bad = rolls.find((roll) => !roll.fair);
  if (bad) return t('Roll {number} is not the one that was sealed.', { number: bad.number });
  if (unfair) return unfair;
  const n = rolls.length;
  if (uploaded) return n === 1 ? t('The only roll matches the seal in this file.') : t('All {n} rolls match the seal in this file.', { n });
  return n === 1 ? t('The only roll was sealed before the game and has not changed.') : t('All {n} rolls were sealed before the game and have not changed.', { n });
}

/** The rolls of a daily challenge, once its day is opened: its record holds the secret. */
export async function openedRolls(table: string, seal: string): Promise<RecordCheck> {
  const [record, { checkRecord }] = await Promise.all([get<GameRecord>(`${pathOf(table)}/record`), import('../lib/record')]);
  return checkRecord(record, seal);
}
