/** What happens at a table beside its game, as templates like the games' own; chairs are named by number. */
import type { Words } from './sentences';

export const TABLE_WORDS: Words = {
  Opened: 'The table is open, and its dice are sealed.',
  Sat: '{chair:name} sits down.',
  Stood: {
    by: 'why',
    words: '{chairs:names} did not open the words in time and had to stand up.',
    removed: '{chairs:names} was removed from the table.',
    '*': '{chairs:names} left the table.',
  },
  Asked: '{chair:name} is ready.',
  Started: 'The game begins.',
  Left: { by: 'good', true: '{chair:name} has left for good.', '*': '{chair:name} is away.' },
  Deputed: 'A bot ({level}) stands in for {chair:name}.',
  Agreed: '{by:name} agrees that a bot may stand in for {chair:name}.',
  Reclaimed: '{chair:name} is back and takes over from the bot.',
  Carried: { by: 'how', woke: '{chair:name} is here and wakes the table.', '*': '{chair:name} is back.' },
  Slept: 'Paused: nobody is playing.',
  Woke: '{chair:name} wakes the table.',
  Restarted: 'The hall was away for a moment; running clocks start afresh.',
  Hinted: '{chair:name} took a hint.',
  Destroyed: 'The table is closed: {why}.',
};
