/** Days and times of the challenge, which are counted in UTC. */
import { t } from '../../lib/language.svelte';

export const dayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));

/** "1:01 AM" or "01:01", as the reader writes it. */
export const clockText = (ms: number, language: string): string => new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(ms);

/** Until when an attempt can begin, in the reader's own time. */
export function startText(ms: number, language: string): string {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short' }).format(ms);
  return t('Start before {weekday} {time}', { weekday, time: clockText(ms, language) });
}

/** A moment as part of a sentence: "on Thursday at 1:01 AM". */
export function whenText(ms: number, language: string): string {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long' }).format(ms);
  return t('on {weekday} at {time}', { weekday, time: clockText(ms, language) });
}

/** The name of a table; the hall names an attempt at a challenge in English. */
export const tableTitle = ({ name, challenge }: { name: string; challenge?: { day: string } | string | null }): string =>
  challenge ? t('Daily challenge') : name;

/** A day as one would write it in a message. */
export const dateText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));
