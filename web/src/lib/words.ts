/** The words of the games, straight from each game's own folder; one small file per game, fetched when needed. */
import type { Words } from './sentences';

const FILES = import.meta.glob<Words>('../../../src/dicehall/games/*/words/en.json', { import: 'default' });

export interface About {
  name: string;
  line: string;
  how: string[];
}

export async function wordsOf(game: string): Promise<Words> {
  const file = Object.keys(FILES).find((path) => path.includes(`/games/${game}/`));
  return file ? FILES[file]!() : {};
}

export const aboutOf = (words: Words): About => (words['about'] as About | undefined) ?? { name: '', line: '', how: [] };

/** A sentence in which no number is broken at the end of a line, nor parted from its sign: "10 000", "50 %". */
export const unbroken = (sentence: string): string => sentence.replace(/(\d) (?=\d{3}\b|%)/g, '$1\u00a0');
