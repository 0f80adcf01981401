/** How strong a bot is, in words for people. */
import { t } from './language.svelte';

export interface Level {
  key: string;
  name: string;
  line: string;
  bot: string; // "Casual bot": the words agree in languages where they have to
  bots: string;
}

const levels = (): Record<string, Omit<Level, 'key'>> => ({
  random: { name: t('Easy'), line: t('plays at random'), bot: t('Easy bot'), bots: t('Easy bots') },
  greedy: { name: t('Casual // level'), line: t('takes what it can get'), bot: t('Casual bot'), bots: t('Casual bots') },
  good: { name: t('Good'), line: t('weighs the risk'), bot: t('Good bot'), bots: t('Good bots') },
  exact: { name: t('Exact'), line: t('plays perfectly'), bot: t('Exact bot'), bots: t('Exact bots') },
});

/** The levels as the hall names them at a table. */
const KEYS: Record<string, string> = { Easy: 'random', Casual: 'greedy', Good: 'good', Exact: 'exact' };

/** A level by its key, or by the name that the hall gives it. */
export const levelOf = (key: string): Level => ({ key, ...(levels()[KEYS[key] ?? key] ?? { name: key, line: '', bot: key, bots: key }) });

/** What somebody gets who did not choose: not the easiest, not the strongest. */
export const usual = (levels: readonly string[]): string =>
  ['greedy', 'good'].find((level) => levels.includes(level)) ?? levels[0] ?? 'random';
