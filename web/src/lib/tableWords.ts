/** What happens at a table beside its game, as templates like the games' own; chairs are named by number. */
import type { Words } from './sentences';

export const TABLE_WORDS: Words = {
  Opened: 'The table is open. Its dice are sealed.',
  Sat: '{chair:name} sits down.',
  Stood: {
    by: 'why',
    words: '{chairs:names} lost their seat: no answer from their browser.',
    removed: '{chairs:names} was removed from the table.',
    '*': '{chairs:names} left the table.',
  },
  Asked: '{chair:name} is ready.',
  Started: 'The game begins.',
  Left: { by: 'good', true: '{chair:name} left for good.', '*': '{chair:name} is away.' },
  Deputed: 'A bot is playing for {chair:name}.',
  Agreed: '{by:name} agrees to let a bot play for {chair:name}.',
  Reclaimed: '{chair:name} is back and takes over from the bot.',
  Carried: { by: 'how', woke: '{chair:name} is back. The game resumes.', '*': '{chair:name} is back.' },
  Slept: 'Paused: nobody is playing.',
  Woke: '{chair:name} resumes the game.',
  Restarted: 'The server restarted. Running clocks start over.',
  Hinted: '{chair:name} took a hint.',
  Destroyed: 'The table was closed: {why}.',
};
