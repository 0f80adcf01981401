/** The first game, in three steps. */
export const steps = [
  'Roll the die as often as you dare. Each 2 to 6 is added to your pile.',
  'Roll a 1 and you lose the pile, and your turn is over.',
  'Hold to bank the pile and pass the die. Be the first to reach {goal}.',
];
