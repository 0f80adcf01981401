/** The first game, in three steps. */
export const steps = [
  'Roll the die as often as you dare: 2 to 6 go on your pile.',
  'Roll a 1 and you lose the pile, and your turn is over.',
  'Hold to bank the pile. Be the first to reach the goal.',
];
