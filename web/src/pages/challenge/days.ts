/** Days and times of the challenge, which are counted in UTC. */

export const dayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));

/** A moment in the reader's own time. */
export const timeText = (ms: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(ms);
