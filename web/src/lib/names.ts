/** Names: friendly ones for guests who would rather not think of one, and short ones for bots. */
import { t } from './language.svelte';
import type { SeatShown } from './types';

/** Both words of a name; each language has lists of its own, in which every first word goes with every second one. */
const firstWords = (): string =>
  t('Amber, Bold, Brave, Bright, Calm, Clever, Cosy, Daring, Dusky, Early, Gentle, Golden, Happy, Honest, Jolly, Keen, Kind, Lucky, Mellow, Merry, Nimble, Patient, Plucky, Proud, Quick, Quiet, Rosy, Silver, Sunny, Swift, Tidy, Wandering, Witty');
const secondWords = (): string =>
  t('Acorn, Badger, Beacon, Bramble, Brook, Cedar, Clover, Comet, Ember, Falcon, Fern, Finch, Harbour, Hazel, Heron, Juniper, Lantern, Lark, Maple, Marten, Meadow, Otter, Pebble, Pine, Raven, River, Robin, Rowan, Sparrow, Thistle, Willow, Wren');
const one = (words: string): string => {
  const list = words.split(', ');
  return list[Math.floor(Math.random() * list.length)]!;
};

/** A bot's name without its level, which is told beside it: "Bot 2 (greedy)" is "Bot 2". */
export const withoutLevel = (name: string): string => name.replace(/^(Bot \d+) \([^)]*\)$/, '$1');

/** Who sits on a chair, short enough for every board. */
export const nameOf = (seat: SeatShown): string => {
  const name = seat.name ?? t('Seat {n}', { n: seat.seat + 1 });
  return seat.account === null ? withoutLevel(name) : name;
};

export const suggestedName = (): string => `${one(firstWords())} ${one(secondWords())}`;

/** Some names in a sentence: "Ann", "Ann and Bea", "Ann, Bea and Cy". */
export const listed = (names: string[]): string =>
  names.length < 2 ? names.join('') : t('{some} and {last}', { some: names.slice(0, -1).join(', '), last: names.at(-1)! });
