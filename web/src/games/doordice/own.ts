/** What I did myself, said to me; of the others the game's own sentences tell. */
import { t } from '../../lib/language.svelte';
import type { EventTold } from '../../lib/types';

const signed = (number: unknown): string => String(number).replace('-', '−');

export function ownDeed(event: EventTold, names: readonly string[]): string | null {
  const name = names[event['target'] as number] ?? '';
  const [hp, vp] = [signed(event['hp']), signed(event['vp'])];
  if (event.event === 'ChoiceForgone') return t('You made no choice.');
  if (event.event === 'Fell') return t('You fall with {hp} HP.', { hp });
  if (event.event === 'EliminationScored') return t('You earn {points} VP for eliminating {name} and have {vp}.', { points: Number(event['points']), name, vp });
  if (event.event !== 'EffectDone') return null;
  switch (event['effect']) {
    case 'backfire':
      return t('Backfire! You are down to {hp} HP.', { hp });
    case 'jab':
      return t('You jab {name}, who is left with {hp} HP.', { name, hp });
    case 'pickpocket':
      return event['stolen'] ? t('You pick {name}’s pocket and steal 1 VP.', { name }) : t('You pick {name}’s pocket and steal nothing.', { name });
    case 'strike':
      return t('You strike {name}, who is left with {hp} HP.', { name, hp });
    case 'recover':
      return t('You recover and have {hp} HP.', { hp });
    case 'power_damage':
      return t('Power Move! You hit {name}, who is left with {hp} HP.', { name, hp });
    case 'power_vp':
      return t('Power Move! You score and have {vp} VP.', { vp });
    case 'void':
      return t('You drift through the void: nothing happens.');
    case 'give_hp':
      return t('Your ghost heals {name}, who has {hp} HP.', { name, hp });
    case 'give_vp':
      return t('Your ghost blesses {name}, who has {vp} VP.', { name, vp });
    case 'take_hp':
      return t('Your ghost claws at {name}, who is left with {hp} HP.', { name, hp });
    case 'take_vp':
      return t('Your ghost curses {name}, who has {vp} VP.', { name, vp });
    default:
      return null;
  }
}
