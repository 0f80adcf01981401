/** How strong a bot is, in words for people. */
export interface Level {
  key: string;
  name: string;
  line: string;
}

const WORDS: Record<string, [name: string, line: string]> = {
  random: ['Easy', 'plays at random'],
  greedy: ['Casual', 'takes what it can get'],
  good: ['Good', 'weighs the risk'],
  exact: ['Exact', 'plays perfectly'],
};

export const levelOf = (key: string): Level => {
  const [name, line] = WORDS[key] ?? [key, ''];
  return { key, name, line };
};

/** What somebody gets who did not choose: not the easiest, not the strongest. */
export const usual = (levels: readonly string[]): string =>
  ['greedy', 'good'].find((level) => levels.includes(level)) ?? levels[0] ?? 'random';
