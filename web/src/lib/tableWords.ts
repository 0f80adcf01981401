/** What happens at a table beside its game, as templates like the games' own; chairs are named by number. */
import { t, template } from './language.svelte';
import type { Words } from './sentences';

/** How a table was closed, by what the hall noted; and by whom, where a player ended a game against bots. */
export function closing(why: string): { how: string; name?: string } {
  if (why === 'closed by its opener') return { how: 'opener' };
  if (why === 'nobody was here for 30 minutes') return { how: 'empty' };
  if (why === 'The day of this challenge is over.') return { how: 'challenge' };
  const name = /^(.+) ended the game$/.exec(why)?.[1];
  return name ? { how: 'player', name } : { how: 'other' };
}

export const tableWords = (): Words => ({
  lists: { and: t('and'), nobody: t('nobody') },
  Opened: template('The table is open. Its dice are sealed.'),
  Sat: template('{chair:name} sits down.'),
  Stood: {
    by: 'why',
    words: template('{chairs:names} lost their seat: no answer from their browser.'),
    removed: template('{chairs:names} was removed from the table.'),
    '*': template('{chairs:names} left the table.'),
  },
  Declined: template('{name} declined the rematch.'),
  Asked: template('{chair:name} is ready.'),
  Started: template('The game begins.'),
  Left: { by: 'good', true: template('{chair:name} left for good.'), '*': template('{chair:name} is away.') },
  Deputed: template('A bot is playing for {chair:name}.'),
  Agreed: template('{by:name} agrees to let a bot play for {chair:name}.'),
  Reclaimed: template('{chair:name} is back and takes over from the bot.'),
  Carried: { by: 'how', woke: template('{chair:name} is back. The game resumes.'), '*': template('{chair:name} is back.') },
  Slept: template('Paused: nobody is playing.'),
  Woke: template('{chair:name} resumes the game.'),
  Restarted: template('The server restarted. Running clocks start over.'),
  Hinted: template('{chair:name} looked at the odds.'),
  Destroyed: {
    by: 'how',
    opener: template('The table was closed by the person who opened it.'),
    empty: template('The table was closed because it was empty for half an hour.'),
    challenge: template('The day of this challenge is over.'),
    player: template('{name} ended the game.'),
    '*': template('The table was closed: {why}.'),
  },
});
