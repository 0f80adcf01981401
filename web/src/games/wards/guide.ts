/** The first game, in three steps. */
import { template } from '../../lib/language.svelte';

export const steps = (): string[] => [
  template('Roll the die as often as you dare. Each 2 to 6 is added to your pile.'),
  template('Roll a 1 and you lose the pile, and your turn is over.'),
  template('Hold to bank the pile and pass the die. Be the first to reach {goal}.'),
];
