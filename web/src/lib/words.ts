/** The words of the games in the reader's language, straight from each game's own folder; one small file per game, fetched when needed. */
import { language } from './language.svelte';
import { curly } from './apostrophes';
import type { Words } from './sentences';

const FILES = import.meta.glob<Words>('../../../src/dicehall/games/*/words/*.json', { import: 'default' });

export interface About {
  name: string;
  line: string;
  how: string[];
}

/** In the reader's language, or in English where the game does not speak it; apostrophes are typeset as on the rest of the page. */
export async function wordsOf(game: string): Promise<Words> {
  const file = fileOf(game, language.code) ?? fileOf(game, 'en');
  return file ? (typeset(await file()) as Words) : {};
}

const typeset = (words: unknown): unknown =>
  typeof words === 'string' ? curly(words) : Array.isArray(words) ? words.map(typeset) : Object.fromEntries(Object.entries(words as Words).map(([key, value]) => [key, typeset(value)]));

const fileOf = (game: string, code: string): (() => Promise<Words>) | undefined => FILES[`../../../src/dicehall/games/${game}/words/${code}.json`];

export const aboutOf = (words: Words): About => (words['about'] as About | undefined) ?? { name: '', line: '', how: [] };

/** A sentence in which no number is broken at the end of a line, nor parted from its sign: "10 000", "50 %". */
export const unbroken = (sentence: string): string => sentence.replace(/(\d) (?=\d{3}\b|%)/g, '$1\u00a0');
