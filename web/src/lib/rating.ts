/** A rating as it is told: never without how sure it is. */
import { t } from './language.svelte';

export const ratingText = ({ rating, error }: { rating: number; error: number }): string => t('{rating} ± {error}', { rating, error });

/** What a game changed, with its sign. */
export const changeText = (change: number): string => (change < 0 ? `−${-change}` : `+${change}`);
