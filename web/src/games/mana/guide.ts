/** The first game, in three steps. */
export const steps = [
  'Both players have eight units. Each round you both pick one in secret: tap a unit, then send it.',
  'The two units hit each other at once. Damage is attack minus defense; whoever has more health left wins the round.',
  'Each unit fights once. Win the most rounds.',
];
