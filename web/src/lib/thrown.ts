/** The dice of an update, and whose they are. */
import type { Thrown } from './table.svelte';
import type { Update } from './types';

/** The dice as they fly; draws of an order have other sides. */
export function thrownIn({ n, rolls, events }: Update): Thrown | null {
  const dice = rolls?.findLast((roll) => roll.sides.every((side) => side === 6));
  const rolled = events.find(({ event }) => event === 'Rolled');
  return dice ? { n, faces: dice.faces, seat: rolled?.['seat'] as number | undefined } : null;
}
