/** What a game's board is given by the table it lies on. The same for every game. */
import type { Component, Snippet } from 'svelte';
import type { Refusal } from './http';
import type { Advice, LiveTable, Move } from './table.svelte';
import type { TableShown, Update } from './types';

/** What a board needs of a table that is played, or played back. */
export type BoardTable = Pick<
  LiveTable,
  'thrown' | 'turning' | 'bust' | 'caption' | 'story' | 'rolls' | 'turn' | 'points' | 'names' | 'me'
>;

export interface BoardProps<View = Record<string, unknown>> {
  table: BoardTable; // for what is not below
  shown: TableShown; // the table's document (phase, rules, seats, deadline ...)
  view: View; // the position as I may see it
  choices: Move[]; // what I may do now; empty when it is not my turn
  me: number | null; // my seat, or null for a spectator
  myTurn: boolean;
  spectator: boolean;
  names: string[]; // by seat
  under?: Snippet; // what every table has right under its felt: the envelope of the last roll, the coach
  advice?: Advice | null; // the odds of my choices, where I asked for them at this moment
  last: Update | null; // the newest update, with `rolls` where dice fell
  /** Make a move; the refusal, or null when it is done and the view is new. */
  act: (move: Move) => Promise<Refusal | null>;
}

/** What is in a game's Board.svelte. */
export interface BoardModule {
  default: Component<BoardProps<never>>;
  drawsSeats?: boolean; // the board shows everybody itself, so the table need not list them beside it
  drawsOdds?: boolean; // the board says what each choice is worth where it is made, so the list below need not come into sight
  placeOf?: (move: Move) => number; // where a choice lies on the board: the odds are listed in that order, not the best first
  drawsEnvelope?: boolean; // the board shows the envelope of the last roll itself
}
