/** What an attempt came to, in words, and as a text to send that gives no dice away. */
import { kept } from '../../lib/kept';
import { language, t } from '../../lib/language.svelte';
import { shareLink } from '../../lib/router.svelte';
import { dateText } from './days';

export interface Outcome {
  place: number | null;
  won: boolean;
  score: number | null;
  others: readonly number[]; // the scores of the bots, best first
}

export const LAST_PLAYED = 'challenge'; // what the browser keeps: the game of the challenge that was played last

/** The game whose ranking somebody wants to see first. */
export function lastPlayed(games: readonly { game: string }[]): string {
  const last = kept<string>(LAST_PLAYED);
  return (games.find(({ game }) => game === last) ?? games[0])?.game ?? '';
}

/** Whether somebody is ranked apart on a day: guests, and accounts made after it began. */
export const isNewcomer = ({ guest, created }: { guest: boolean; created: number }, day: string): boolean =>
  guest || created >= Date.parse(`${day}T00:00:00Z`);

export function resultOf({ place, won, score, others }: Outcome): string {
  if (place === null || score === null) return t('Not finished');
  if (others.length > 1) return t('Place {place} of {seats}', { place, seats: others.length + 1 });
  const scores = { mine: score, theirs: others[0] ?? 0 };
  if (won) return t('Won {mine}–{theirs}', scores);
  return place === 1 ? t('Drew {mine}–{theirs}', scores) : t('Lost {mine}–{theirs}', scores);
}

/** A share of a win, in percent, with the reader's decimal point. */
export function lossText(loss: number | null): string {
  if (loss === null) return '…';
  return `${new Intl.NumberFormat(language.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(loss * 100)}\u00a0%`;
}

export function shareText(day: string, game: string, result: string): string {
  return `${t('Dicehall daily challenge, {day}', { day: dateText(day, language.locale) })}\n${game}: ${result}\n${shareLink('/challenge')}`;
}
