/** The first game, in three steps. */
import { template } from '../../lib/language.svelte';

export const steps = (): string[] => [
  template('Roll six dice, then tap dice that score: +50 is for one die, “all 3: 200” for three together.'),
  template('Roll the rest for more, or bank your turn points. If a roll scores nothing, you bust and lose them.'),
  template('Keep all six and you may roll them all again. Be the first to bank {goal} points.'),
];
