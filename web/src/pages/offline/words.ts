/** What is said of a kept game. */
import { language, t } from '../../lib/language.svelte';
import { listed } from '../../lib/names';
import type { TableShown } from '../../lib/types';

/** "against Bea and Mira", or everybody's names where I only watched. */
export const opponentsOf = (shown: TableShown, names: readonly string[]): string => {
  const others = names.filter((_, seat) => seat !== shown.me);
  return shown.me === null ? listed([...names]) : t('against {names}', { names: listed(others) });
};

export const dateOf = (at: number): string => new Date(at).toLocaleString(language.locale, { dateStyle: 'medium', timeStyle: 'short' });
