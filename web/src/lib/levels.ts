/** How strong a bot is, in words for people. */
export interface Level {
  key: string;
  name: string;
  line: string;
}

const WORDS: Record<string, [name: string, line: string]> = {
  random: ['Easy', 'does anything that is allowed'],
  greedy: ['Casual', 'takes what lies on the table'],
  good: ['Good', 'weighs the risk'],
  exact: ['Exact', 'cannot be beaten in the long run'],
};

export const levelOf = (key: string): Level => {
  const [name, line] = WORDS[key] ?? [key, ''];
  return { key, name, line };
};

/** What somebody gets who did not choose: not the easiest, not the strongest. */
export const usual = (levels: readonly string[]): string =>
  ['greedy', 'good'].find((level) => levels.includes(level)) ?? levels[0] ?? 'random';
