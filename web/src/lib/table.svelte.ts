/** One table as it stands now: what the hall shows of it, its story, its dice, and what I may do. */
import { hall } from './hall.svelte';
import { Refused, refusalOf, type Refusal } from './http';
import { keep, kept } from './kept';
import { t } from './language.svelte';
import { atRest } from './motion';
import { nameOf } from './names';
import { Playback, type GamePlayback, type Speed } from './playback';
import { playbackOf } from './playbacks';
import { Reactions, type Reacted, type Reaction } from './reactions.svelte';
import { commitment, fullWords, type RollCheck } from './seal';
import type { Words } from './sentences';
import { settings } from './settings.svelte';
import { Story, type Line } from './story';
import { keptAs, TableDice, type Kept } from './tableDice';
import type { EventTold, SeatShown, TableShown, Update } from './types';
import { thrownIn } from './thrown';
import { aboutOf, wordsOf } from './words';

export type Move = unknown;

/** What a coach says who was asked: the best choice, and the chance to win of each where somebody worked it out. */
export interface Advice {
  situation: string;
  best: Move;
  best_words: string;
  worths: { move: Move; words: string; chance: number; stderr: number }[];
  note: string;
}

/** Dice in the air: their faces are known here, but nobody is told before they lie still. */
export interface Thrown {
  n: number;
  faces: number[];
  seat: number | undefined; // whose they are, where they are one player's
}

/** Somebody has lost the points of their turn; it is felt for a moment before play goes on. */
export interface Bust {
  seat: number | undefined;
  lost: number;
}

const FROZEN_MS = 10_000; // between two tries to watch a table whose journal cannot be read
const MOST_SAID = 40; // sentences kept for those who listen: more than can come at once
const MOST_OF_A_TURN = 60; // events of a turn that a caption looks at
const SHARE_OF_CLOCK = 0.25; // of my own time may be spent on watching what happened before

const isFight = (update: Update): boolean => update.events.some(({ event }) => event === 'RoundFought'); // two cards are turned over

/** Whether I have the same to choose from, while somebody else picked in secret, came or went. */
function isSameChoice(before: TableShown, after: TableShown): boolean {
  const [mine, now] = [before, after].map(({ me, choices }) => (me === null ? undefined : choices[String(me)]));
  return mine !== undefined && mine.length > 0 && JSON.stringify(mine) === JSON.stringify(now);
}

export class LiveTable {
  shown = $state.raw<TableShown | null>(null);
  story = $state.raw<Line[]>([]);
  fresh = $state.raw<Line[]>([]); // the newest lines of what happened while I was here, each said once
  last = $state.raw<Update | null>(null); // the newest update, with its dice
  rolls = $state.raw<RollCheck[]>([]); // every roll, checked here
  unfair = $state(''); // what is wrong with the words or the seal, if anything is
  words = $state.raw<Words>({}); // the game's own sentences
  error = $state.raw<Refusal | null>(null); // why the table cannot be shown
  takenOver = $state(false);
  spectators = $state(0);
  busy = $state(false);
  thrown = $state.raw<Thrown | null>(null);
  turning = $state(false); // cards are being turned over
  fighting = $state(false); // two cards are looked at, and nobody is on turn
  bust = $state.raw<Bust | null>(null);
  unseen = $state(false); // the game went on, and what is shown does not say so yet
  rematchAsked = $state(false); // while I was here
  rematchTakers = $state.raw<string[]>([]); // accounts that accepted the rematch while I looked
  caption = $state(''); // one line about what somebody else just did
  advice = $state.raw<{ n: number; said: Advice | null } | null>(null); // what a hint said, and about which moment

  names = $derived((this.shown?.seats ?? []).map(nameOf));
  me = $derived(this.shown?.me ?? null);
  choices = $derived<Move[]>(this.me === null || this.takenOver || this.unseen ? [] : (this.shown?.choices[String(this.me)] ?? []));
  points = $derived<(number | null)[]>(this.me === null ? [] : (this.shown?.points?.[String(this.me)] ?? [])); // choice by choice
  /** Who is on turn; whoever rolls is, although the position still shows what the one before did. */
  turn = $derived<number[]>(this.thrown?.seat !== undefined ? [this.thrown.seat] : ((this.shown?.view?.['turn'] as number[] | undefined) ?? []));
  myTurn = $derived(this.me !== null && !this.takenOver && this.turn.includes(this.me) && this.shown?.phase === 'playing');
  about = $derived(aboutOf(this.words));

  readonly reactions = new Reactions();

  private received: TableShown | null = null; // the newest that the hall said, which may be ahead of what is shown
  private game: GamePlayback | null = null;
  private turnEvents: EventTold[] = [];
  private caughtUp = { deadline: 0, by: 0 }; // when everything that happened before my clock ran has to be shown
  private readonly playback = new Playback({
    play: (update) => this.play(update),
    show: (update) => {
      const after = this.after(update);
      this.bust = null;
      this.fighting = false;
      this.present(after);
    },
    rest: () => this.rest(),
    isFollowed: (update) => this.isOfGame(update) && this.actorOf(update) !== this.me,
    isRead: (update) => this.actorOf(update) === this.me && update.events.some((event) => this.game?.surprises?.(event)),
    isBust: (update) => this.lostIn(update) !== null,
    isEnd: (update) => this.isEnd(update),
    speed: (): Speed => settings.speed,
    mostBehind: () => this.mostBehind(),
  });
  private told: Story | null = null;
  private ready: Promise<void> = Promise.resolve(); // the words are there
  private readonly dice: TableDice;
  private early: Update[] = []; // before the words were there
  private looking: Promise<void> | null = null;
  private heardOf = 0; // the number of the newest update
  private behind = false; // what is shown is not yet all that happened
  private past = -1; // the number of the last update from before I came
  private unbarred: ReturnType<typeof setTimeout> | undefined; // looks again when I can sit down here again
  private stop: () => void = () => {};
  private acts = 0; // of mine, since this page was loaded
  private left = false; // the page is gone: what is derived here has no values any more

  constructor(readonly id: string) {
    this.dice = new TableDice(id, () => this.mine, () => this.me !== null);
  }

  /** Begin to follow; what is answered ends it. */
  follow(): () => void {
    this.stop = hall.talk.follow(this.id, {
      seen: (table) => this.seen(table),
      heard: (update) => this.heard(update),
      noticed: (notice) => this.noticed(notice),
      refused: (code, message) => void this.onlyLook({ code, message }),
    });
    const hurry = (): void => this.playback.hurry();
    document.addEventListener('visibilitychange', hurry);
    return () => {
      document.removeEventListener('visibilitychange', hurry);
      clearTimeout(this.unbarred);
      this.left = true;
      this.playback.end();
      this.stop();
    };
  }

  /** Let what happens wait until the answer is called; a clock waits for nobody, so then nothing does. */
  hold(): () => void {
    return this.shown?.deadline == null ? this.playback.hold() : () => {};
  }

  /** Show everything that happened at once. */
  hurry(): void {
    this.playback.hurry();
  }

  // -- what I can do; each is answered with a refusal, or null when it is done ---------------------

  async act(move: Move): Promise<Refusal | null> {
    const { advice } = this;
    this.advice = null; // it was about this choice
    this.acts += 1;
    const refusal = await this.done({ do: 'act', move });
    if (refusal) this.advice = advice;
    return refusal;
  }

  /** Sit down, with words that nobody knows yet; the seal is kept as it was shown before. */
  async sit(seat?: number, typed = '', password?: string): Promise<Refusal | null> {
    const words = fullWords(typed);
    keep(this.keeping, { seal: this.mine?.seal ?? this.shown?.seal ?? '', words } satisfies Kept);
    const refusal = await this.done({ do: 'sit', seat, password, commitment: commitment(words) });
    this.openWords();
    return refusal;
  }

  stand = (): Promise<Refusal | null> => this.done({ do: 'stand' });
  start = (): Promise<Refusal | null> => this.done({ do: 'start' });
  leave = (): Promise<Refusal | null> => this.done({ do: 'leave' });
  reclaim = (): Promise<Refusal | null> => this.done({ do: 'reclaim' });
  abandon = (): Promise<Refusal | null> => this.done({ do: 'abandon' });
  close = (): Promise<Refusal | null> => this.done({ do: 'close' });
  bot = (seat: number | undefined, level: string): Promise<Refusal | null> => this.done({ do: 'bots', seat, level });

  remove = (seat: number): Promise<Refusal | null> => this.done({ do: 'remove', seat });

  /** Ask the coach; everybody is told that I did. */
  async hint(): Promise<Refusal | null> {
    const { acts } = this;
    try {
      const answer = await hall.ask<{ n: number; table: TableShown; advice?: Advice }>({ do: 'hint', table: this.id });
      this.show(answer.table);
      await this.playback.reached(answer.n);
      const n = isSameChoice(answer.table, this.shown!) ? this.shown!.n : answer.table.n;
      if (acts === this.acts) this.advice = { n, said: answer.advice ?? null };
      return null;
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** Come back to my seat: from another tab, from having been away, or to a table that sleeps: whoever watches it wakes it. */
  async takeBack(): Promise<Refusal | null> {
    if (!this.takenOver && this.shown?.phase !== 'asleep') return this.done({ do: 'sit' });
    hall.talk.again(this.id);
    return null;
  }

  /** The next table, the same for everybody who asks. */
  rematch(): Promise<TableShown> {
    return hall.ask<TableShown>({ do: 'rematch', table: this.id });
  }

  /** Say no to a rematch; whoever asked for it hears that. */
  async decline(): Promise<Refusal | null> {
    return hall.ask<TableShown>({ do: 'decline', table: this.id }).then((table) => (this.show(table), null), refusalOf);
  }

  /** Everybody at the table sees it for a moment. */
  react(reaction: Reaction): Promise<Refusal | null> {
    return hall.ask({ do: 'react', table: this.id, reaction }).then(() => null, refusalOf);
  }

  record(): Promise<Record<string, unknown>> {
    return hall.ask({ do: 'record', table: this.id });
  }

  seatOf(seat: number): SeatShown | undefined {
    return this.shown?.seats[seat];
  }

  // -- what I hear --------------------------------------------------------------------------------

  private async done(message: { do: string; [field: string]: unknown }): Promise<Refusal | null> {
    this.busy = true;
    try {
      const { n, table } = await hall.ask<{ n: number; table?: TableShown }>({ table: this.id, ...message });
      if (table) this.show(table);
      await this.looking;
      if (message.do === 'act') await this.playback.reached(n);
      return null;
    } catch (error) {
      return refusalOf(error);
    } finally {
      this.busy = false;
    }
  }

  private seen(table: TableShown): void {
    this.error = null;
    this.takenOver = false;
    if (this.past < 0) this.past = table.n;
    if (!this.behind) this.playback.skipTo(table.n);
    this.show(table);
    this.ready = this.tellStory(table.game);
  }

  private heard(update: Update): void {
    this.heardOf = update.n;
    if (this.past < 0) this.early.push(update);
    else if (update.n > this.playback.presented) {
      this.behind = true;
      this.unseen ||= !this.told || this.isOfGame(update); // somebody who comes or goes takes no move from me
      this.playback.add(update);
    }
    if (this.received && update.n > this.received.n) void this.look();
    if (update.asks_for_words) this.openWords();
    for (const event of update.events) {
      if (event.event === 'Stood') this.stood(event);
      if (event.event === 'Sat' && !event['bot']) this.spectators = Math.max(0, this.spectators - 1);
    }
  }

  private noticed(notice: Record<string, unknown>): void {
    if (notice['taken_over']) this.takenOver = true;
    if (typeof notice['total_spectators'] === 'number') this.spectators = notice['total_spectators'];
    if (notice['event'] === 'RematchOffered') this.rematchAsked = true;
    if (notice['event'] === 'Reacted') this.reactions.receive(notice['reactions'] as Reacted[], Number(notice['more']), this.me, hall.now());
    if (notice['event'] === 'RematchAccepted') this.rematchTakers = [...this.rematchTakers, String(notice['account'])];
    if (String(notice['event']).startsWith('Rematch')) void this.look();
  }

  /** A table that ended long ago is not followed any more, but can be looked at; a frozen one is tried again and again. */
  private async onlyLook(refusal: Refusal): Promise<void> {
    if (refusal.code === 'store_unavailable') {
      if (!this.shown) this.error = refusal;
      setTimeout(() => hall.talk.again(this.id), FROZEN_MS);
      return;
    }
    try {
      const { updates } = await hall.ask<{ updates: Update[] }>({ do: 'events', table: this.id, since: 0 });
      this.early = updates;
      this.seen(await hall.ask<TableShown>({ do: 'look', table: this.id }));
    } catch (error) {
      this.error = error instanceof Refused ? error.refusal : refusal;
    }
  }

  /** An update tells what happened; how the table stands then is asked for, once for many updates. */
  private look(): Promise<void> {
    this.looking ??= hall
      .ask<TableShown>({ do: 'look', table: this.id })
      .then((table) => {
        this.looking = null;
        this.show(table);
        if (table.n < this.heardOf) return this.look(); // something happened after this was asked
      })
      .catch(() => void (this.looking = null));
    return this.looking;
  }

  private show(table: TableShown): void {
    if (this.received && table.n < this.received.n) return;
    this.received = table;
    if (!this.behind && table.n <= this.playback.presented) this.present(table);
    if (!this.mine && table.me === null && table.seal) keep(this.keeping, { seal: table.seal, words: null } satisfies Kept);
    if (table.asks_for_words) this.openWords();
    clearTimeout(this.unbarred);
    if (table.barred?.until) this.unbarred = setTimeout(() => void this.look(), Math.max(0, table.barred.until - table.now));
  }

  // -- what is shown, one update after the other ---------------------------------------------------

  private present(table: TableShown): void {
    const before = this.shown;
    if (before && this.advice?.n === before.n && isSameChoice(before, table)) this.advice = { ...this.advice, n: table.n };
    this.shown = table;
  }

  private rest(): void {
    this.behind = this.unseen = false;
    if (this.received && this.received.n <= this.playback.presented) this.present(this.received);
  }

  private async play(update: Update): Promise<void> {
    await this.ready;
    if (this.left) return;
    const looked = this.lookedAt(update.n);
    const late = this.actorOf(update) !== this.me && this.mostBehind() === 0; // then the dice lie there at once
    this.thrown = late ? null : thrownIn(update);
    if (this.thrown) await atRest();
    await looked;
    if (this.left) return;
    if (isFight(update)) await this.turnOver(update);
    if (this.left) return;
    const lost = this.lostIn(update);
    if (lost !== null) this.bust = { seat: this.actorOf(update), lost };
    this.describe(update);
    this.tell([update]);
    const { turn } = this;
    this.thrown = null;
    if (this.isEnd(update)) this.present(this.goingOn(update, turn));
  }

  /** A game that ends with somebody else's move, or with two cards: the position is seen before the result is. */
  private isEnd(update: Update): boolean {
    const ended = this.received?.over != null && this.received.n <= update.n && this.isOfGame(update);
    return ended && (this.actorOf(update) !== this.me || isFight(update));
  }

  /** The position after an update, as if nothing were decided yet: still in the turn that made it; a fight is nobody's turn. */
  private goingOn(update: Update, turn = this.turn): TableShown {
    const after = this.after(update);
    const view = after.view && { ...after.view, turn: isFight(update) ? [] : turn };
    return { ...after, view, phase: 'playing', choices: {}, over: null };
  }

  /** Two cards are turned over: they are seen first, and then everybody is told what they did. */
  private async turnOver(update: Update): Promise<void> {
    this.turning = this.fighting = true;
    this.present(this.goingOn(update));
    await atRest();
    this.turning = false;
  }

  /** The table after an update. Where the hall has said more since then, its position is worked out from the events. */
  private after(update: Update): TableShown {
    const [later, before] = [this.received!, this.shown!];
    if (!this.game || !later.view || later.n <= update.n) return later;
    const started = update.events.some(({ event }) => event === 'Started');
    if (!before.view && !started) return before;
    const view = update.events.reduce(this.game.fold, before.view ?? this.game.start(later.view, later.rules));
    return { ...later, n: update.n, phase: 'playing', view, choices: {}, points: {}, deadline: null, over: null };
  }

  private async lookedAt(n: number): Promise<void> {
    if (this.received && this.received.n < n) await this.look();
  }

  private isOfGame(update: Update): boolean {
    return update.events.some(({ event }) => event in this.words);
  }

  private lostIn(update: Update): number | null {
    for (const event of update.events) {
      const lost = this.game?.bust(event) ?? null;
      if (lost !== null) return lost;
    }
    return null;
  }

  /** Whose move it was: the event names its seat, or it was the turn of somebody. */
  private actorOf(update: Update): number | undefined {
    const named = update.events.find((event) => 'seat' in event || 'player' in event);
    return (named?.['seat'] ?? named?.['player'] ?? this.turn[0]) as number | undefined;
  }

  /** What others do in their turn is described; my own moves I know. */
  private describe(update: Update): void {
    if (!this.game || !this.isOfGame(update)) return;
    const mine = this.actorOf(update) === this.me;
    for (const event of update.events) {
      if (this.game.begins(event)) this.turnEvents = [];
      this.turnEvents.push(event);
      const text = this.game.caption(this.turnEvents, this.names, this.turn[0]);
      if (text) this.caption = mine ? '' : text;
    }
    if (mine && update.events.some((event) => this.game?.isLate?.(event))) this.caption = t('You ran out of time.');
    if (this.bust && this.bust.seat === this.me) this.caption = this.bust.lost ? t('You bust and lose {points}.', { points: this.bust.lost }) : t('You bust.');
    this.turnEvents = this.turnEvents.slice(-MOST_OF_A_TURN);
  }

  /** While my own clock runs already, what happened before may cost only a part of it: all in all, not each move. */
  private mostBehind(): number {
    const table = this.received;
    const mine = table?.me !== null && (table?.choices[String(table.me)]?.length ?? 0) > 0;
    if (!mine || !table?.deadline) return Infinity;
    const now = hall.now();
    if (this.caughtUp.deadline !== table.deadline) this.caughtUp = { deadline: table.deadline, by: now + (table.deadline - now) * SHARE_OF_CLOCK };
    return Math.max(0, this.caughtUp.by - now);
  }

  // -- the story and the dice ---------------------------------------------------------------------

  private async tellStory(game: string): Promise<void> {
    if (this.told) return;
    const [words, playback] = await Promise.all([wordsOf(game), playbackOf(game)]);
    if (this.told) return;
    [this.words, this.game] = [words, playback];
    this.told = new Story(words);
    this.tell(this.early.splice(0));
  }

  private tell(updates: Update[]): void {
    const said: Line[] = [];
    for (const update of updates) {
      const lines = this.told!.add(update);
      if (update.n > this.past) said.push(...lines);
      this.dice.hear(update);
      this.last = update;
    }
    if (said.length > 0) this.fresh = [...this.fresh, ...said].slice(-MOST_SAID);
    this.story = this.told!.lines.slice();
    this.unfair = this.dice.unfair;
    if (this.dice.checks.length !== this.rolls.length) this.rolls = this.dice.checks.slice();
  }

  // -- my words -----------------------------------------------------------------------------------

  private get keeping(): string {
    return keptAs(this.id);
  }

  private get mine(): Kept | null {
    return kept<Kept>(this.keeping);
  }

  /** Everybody seated is asked to open what they committed to; this page does it by itself. */
  private openWords(): void {
    const mine = this.mine;
    if (!mine?.words || mine.opened || !this.received?.asks_for_words || this.received.me === null) return;
    keep(this.keeping, { ...mine, opened: true } satisfies Kept);
    hall.ask({ do: 'words', table: this.id, words: mine.words }).catch(() => {}); // too late: then we stand, and see it
  }

  /** Somebody lost their chair; where that was not me, I may need new words. */
  private stood(event: Update['events'][number]): void {
    const mine = this.me !== null && (event['chairs'] as number[]).includes(this.me);
    if (!mine) this.sitAnew();
  }

  /** A start that failed has made my words known: new ones are needed. */
  private sitAnew(): void {
    if (this.mine?.opened && this.shown?.phase === 'lobby' && this.shown.me !== null) void this.sit(this.shown.me);
  }
}
