/** Reacting, whoever one is: a spectator without a name gets one first. */
import { hall } from '../../../lib/hall.svelte';
import { refusalOf, type Refusal } from '../../../lib/http';
import { t } from '../../../lib/language.svelte';
import { suggestedName } from '../../../lib/names';
import type { Reaction } from '../../../lib/reactions.svelte';
import { session } from '../../../lib/session.svelte';
import type { LiveTable } from '../../../lib/table.svelte';

export async function react(table: LiveTable, reaction: Reaction): Promise<Refusal | null> {
  if (hall.line !== 'open') return { code: 'unreached', message: t('You are not connected right now.') }; // later it would make no sense
  try {
    if (!session.me) await session.guest(suggestedName());
    return await table.react(reaction);
  } catch (error) {
    return refusalOf(error);
  }
}
