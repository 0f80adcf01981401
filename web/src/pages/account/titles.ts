/** The games' names in the reader's language, asked for once. */
import { gamesShown } from '../../lib/games';
import { language } from '../../lib/language.svelte';

type Titles = Record<string, string>;

const asked = new Map<string, Promise<Titles>>(); // by language

export function titles(): Promise<Titles> {
  const { code } = language;
  const known = asked.get(code) ?? load();
  asked.set(code, known);
  known.catch(() => asked.delete(code)); // what failed can be asked for again
  return known;
}

const load = async (): Promise<Titles> => Object.fromEntries((await gamesShown()).map((game) => [game.game, game.name]));
