/** The first game, in three steps. */
import { template } from '../../lib/language.svelte';

export const steps = (): string[] => [
  template('Both players have eight units. Each round you both pick one in secret: tap a unit, then send it.'),
  template('The two units hit each other at once. Damage is attack minus defense; whoever has more health left wins the round.'),
  template('Each unit fights once. Win the most rounds.'),
];
