/** The first game, in three steps. */
import { template } from '../../lib/language.svelte';

export const steps = (): string[] => [
  template('Both players have eight units. Each round you both pick one in secret: tap a unit, then send it. Each unit fights once.'),
  template('The two units hit each other at once. Damage is attack minus defense; the unit with more health left wins the round. Win the most rounds.'),
  template('Some units have an ability: Boost doubles attack, Shield blocks all damage, and Heal restores half the unit’s health after the fight.'),
];
