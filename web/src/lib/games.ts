/** The games of the hall, with their names and sentences in the reader's language. */
import { hall } from './hall.svelte';
import { language } from './language.svelte';
import type { GameShown } from './types';
import { aboutOf, wordsOf } from './words';

export async function gamesShown(): Promise<GameShown[]> {
  const games = await hall.ask<GameShown[]>({ do: 'games' });
  return language.code === 'en' ? games : Promise.all(games.map(translated));
}

async function translated(game: GameShown): Promise<GameShown> {
  const { name, line } = aboutOf(await wordsOf(game.game));
  return name === '' ? game : { ...game, name, line };
}
