/** The first game, in three steps. */
export const steps = [
  'Roll six dice, then tap dice that score. The number on a die is what it brings.',
  'Roll the rest for more, or bank your turn points. If a roll scores nothing, you bust and lose them.',
  'Your first bank has to be big enough to open. Be the first to reach the goal.',
];
