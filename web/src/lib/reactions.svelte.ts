/** What people at a table react: each is seen for a few seconds, and said once for those who listen. */
import { getContext, setContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { t } from './language.svelte';
import { settings } from './settings.svelte';

export type Reaction = 'hello' | 'luck' | 'bravo' | 'wow' | 'ouch' | 'thanks';

export interface Reacted {
  name: string;
  seat: number | null; // null: a spectator
  reaction: Reaction;
}

export const REACTIONS: readonly Reaction[] = ['hello', 'luck', 'bravo', 'wow', 'ouch', 'thanks'];
const SHOWN_MS = 4000;
const QUIET_MS = 5000; // between two sentences for those who listen

const NAMES: Record<Reaction, () => string> = {
  hello: () => t('Hello'),
  luck: () => t('Good luck'),
  bravo: () => t('Well played'),
  wow: () => t('Wow'),
  ouch: () => t('Ouch'),
  thanks: () => t('Thanks'),
};
export const reactionName = (reaction: Reaction): string => NAMES[reaction]();

const whoOf = (one: Reacted): string => (one.seat === null ? `watching ${one.name}` : `seat ${one.seat}`);

export class Reactions {
  shown = $state.raw<Reacted[]>([]); // the newest of each person
  more = $state(0); // people whose reactions came in too great a number to be named
  sentence = $state('');
  readonly drawn = new SvelteSet<number>(); // seats that show their own; all others share one line
  private spokenAt = -Infinity;
  private moreTimer: ReturnType<typeof setTimeout> | undefined;

  /** Those that no seat on the page shows. */
  others = $derived(this.shown.filter((one) => one.seat === null || !this.drawn.has(one.seat)));

  get muted(): boolean {
    return settings.mutesReactions;
  }

  ofSeat(seat: number): Reacted | undefined {
    return this.shown.find((one) => one.seat === seat);
  }

  /** The hall told what people reacted; *me* is my seat, whose reactions I know. */
  receive(reactions: readonly Reacted[], more: number, me: number | null, now: number): void {
    const isMine = (one: Reacted): boolean => one.seat !== null && one.seat === me;
    const known = reactions.filter((one) => REACTIONS.includes(one.reaction) && (!this.muted || isMine(one)));
    if (known.length === 0) return;
    const who = new Set(known.map(whoOf));
    this.shown = [...this.shown.filter((one) => !who.has(whoOf(one))), ...known];
    setTimeout(() => (this.shown = this.shown.filter((one) => !known.includes(one))), SHOWN_MS);
    if (more > 0 && !this.muted) this.count(more);
    this.say(known.filter((one) => !isMine(one)), more, now);
  }

  setMuted(muted: boolean): void {
    settings.setMutesReactions(muted);
    if (muted) [this.shown, this.more, this.sentence] = [[], 0, ''];
  }

  private count(more: number): void {
    this.more = more;
    clearTimeout(this.moreTimer);
    this.moreTimer = setTimeout(() => (this.more = 0), SHOWN_MS);
  }

  /** One sentence for all, and none so soon after another that it would be in the way of the game's own. */
  private say(heard: readonly Reacted[], more: number, now: number): void {
    const [first] = heard;
    if (!first || now - this.spokenAt < QUIET_MS) return;
    this.spokenAt = now;
    const count = heard.length + more;
    this.sentence =
      count === 1 ? t('{name} reacts: {reaction}.', { name: first.name, reaction: reactionName(first.reaction) }) : t('{n} people react.', { n: count });
  }
}

const KEY = Symbol('reactions');
export const provideReactions = (reactions: Reactions): Reactions => setContext(KEY, reactions);
/** Those of the table that this part of the page belongs to, if it belongs to one. */
export const tableReactions = (): Reactions | undefined => getContext(KEY);
