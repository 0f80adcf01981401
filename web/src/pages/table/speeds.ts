/** How fast others' turns are played back, in words. */
import { t } from '../../lib/language.svelte';
import type { Speed } from '../../lib/playback';

export const speedNames = (): Record<Speed, string> => ({ slow: t('Slow'), normal: t('Normal'), fast: t('Fast'), instant: t('Instant') });
