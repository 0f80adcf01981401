/** How strong a bot is, in words for people. */
import { t } from './language.svelte';

export interface Level {
  key: string;
  name: string;
  line: string;
}

const levels = (): Record<string, [name: string, line: string]> => ({
  random: [t('Easy'), t('plays at random')],
  greedy: [t('Casual // level'), t('takes what it can get')],
  good: [t('Good'), t('weighs the risk')],
  exact: [t('Exact'), t('plays perfectly')],
});

/** The levels as the hall names them at a table. */
const KEYS: Record<string, string> = { Easy: 'random', Casual: 'greedy', Good: 'good', Exact: 'exact' };

/** A level by its key, or by the name that the hall gives it. */
export const levelOf = (key: string): Level => {
  const [name, line] = levels()[KEYS[key] ?? key] ?? [key, ''];
  return { key, name, line };
};

/** What somebody gets who did not choose: not the easiest, not the strongest. */
export const usual = (levels: readonly string[]): string =>
  ['greedy', 'good'].find((level) => levels.includes(level)) ?? levels[0] ?? 'random';
