/** The games' names, asked for once. */
import { hall } from '../../lib/hall.svelte';
import type { GameShown } from '../../lib/types';

let asked: Promise<Record<string, string>> | null = null;

export function titles(): Promise<Record<string, string>> {
  asked ??= hall
    .ask<GameShown[]>({ do: 'games' })
    .then((games) => Object.fromEntries(games.map((game) => [game.game, game.name])))
    .catch((error: unknown) => {
      asked = null;
      throw error;
    });
  return asked;
}
