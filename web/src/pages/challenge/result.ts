/** What an attempt came to, in words, and as a text to send that gives no dice away. */
import { language, t } from '../../lib/language.svelte';
import { shareLink } from '../../lib/router.svelte';
import { dateText } from './days';

export interface Outcome {
  place: number | null;
  won: boolean;
  score: number | null;
  others: readonly number[]; // the scores of the bots, best first
}

export function resultOf({ place, won, score, others }: Outcome): string {
  if (place === null || score === null) return t('Not finished');
  if (others.length > 1) return t('Place {place} of {seats}', { place, seats: others.length + 1 });
  const scores = { mine: score, theirs: others[0] ?? 0 };
  if (won) return t('Won {mine}–{theirs}', scores);
  return place === 1 ? t('Drew {mine}–{theirs}', scores) : t('Lost {mine}–{theirs}', scores);
}

/** A share of a win, in percent. */
export const lossText = (loss: number | null): string => (loss === null ? '…' : `${(loss * 100).toFixed(2)} %`);

export function shareText(day: string, game: string, result: string): string {
  return `${t('Dicehall daily challenge, {day}', { day: dateText(day, language.locale) })}\n${game}: ${result}\n${shareLink('/challenge')}`;
}
