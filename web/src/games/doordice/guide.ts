/** The first game, in three steps. */
import { template } from '../../lib/language.svelte';

export const steps = (): string[] => [
  template('Everyone rolls one die each round. The face decides what you do: strike, steal, heal or backfire.'),
  template('If you need a target, tap a player. At 0 HP you fall and haunt the living as a ghost.'),
  template('Survive rounds and knock others out for victory points (VP). The most VP wins.'),
];
