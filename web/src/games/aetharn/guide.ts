/** The first game, in three steps. */
export const steps = [
  'Roll six dice, then tap dice that score. The number on a die is what it’s worth.',
  'Roll the rest for more, or bank your turn points. If a roll scores nothing, you bust and lose them.',
  'Hold all six and you may roll them all again. Be the first to bank {goal} points.',
];
