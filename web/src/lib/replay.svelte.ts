/** A finished game, played back: every step as spectators saw it, forwards and backwards. */
import type { BoardTable } from './board';
import { atRest } from './motion';
import { nameOf } from './names';
import { Playback, type GamePlayback, type Speed } from './playback';
import type { RollCheck } from './seal';
import type { Words } from './sentences';
import { settings } from './settings.svelte';
import { Story, type Line } from './story';
import type { Bust, Thrown } from './table.svelte';
import { thrownIn } from './thrown';
import type { EventTold, Over, ReplayUpdate, TableShown } from './types';
import { aboutOf } from './words';

type View = Record<string, unknown>;
const MOST_OF_A_TURN = 60; // events that a caption looks at

/** One step: something that changed the position, and all that was told up to there. */
export interface Step {
  update: ReplayUpdate;
  view: View;
  over: Over | null;
  entries: number; // of the record, played so far
  lines: number; // of the game log, told so far
  rolls: number; // checked so far
  caption: string;
  bust: Bust | null;
}

/** What a replay is made of. */
export interface Played {
  shown: TableShown; // the table as it stands at the end
  updates: readonly ReplayUpdate[];
  checks: (update: ReplayUpdate) => readonly RollCheck[]; // all rolls up to an update, asked for in order
  unfair: () => string;
  words: Words;
  game: GamePlayback | null;
}

export class Replay implements BoardTable {
  at = $state(0); // the step that is shown
  playing = $state(false);
  thrown = $state.raw<Thrown | null>(null);
  turning = $state(false);

  readonly steps: readonly Step[];
  readonly names: string[];
  readonly all: readonly RollCheck[]; // every roll of the game
  readonly lines: readonly Line[];
  readonly unfair: string;
  readonly about;
  readonly me = null; // everybody sees a replay as a spectator did
  readonly mine: number | null; // where I sat in this game
  readonly points = [];

  step = $derived.by(() => this.steps[this.at]!);
  last = $derived.by(() => this.steps.length - 1);
  told = $derived.by(() => (this.turning ? this.at - 1 : this.at)); // up to this step: cards are seen before anything is said about them
  story = $derived.by((): Line[] => this.lines.slice(0, this.steps[this.told]!.lines));
  rolls = $derived.by((): RollCheck[] => this.all.slice(0, this.step.rolls));
  turn = $derived.by(() => (this.thrown?.seat !== undefined ? [this.thrown.seat] : ((this.step.view['turn'] as number[] | undefined) ?? [])));
  caption = $derived.by(() => this.step.caption);
  bust = $derived.by(() => (this.thrown ? null : this.step.bust));
  shown = $derived.by((): TableShown => this.tableAt(this.step));

  readonly base: TableShown;
  private playback: Playback;

  constructor(played: Played) {
    this.base = { ...played.shown, me: null, seats: played.shown.seats.map((seat) => ({ ...seat, presence: 'here' as const, grace_ends: null, bot_allowed_at: null })) };
    this.names = played.shown.seats.map(nameOf);
    this.mine = played.shown.me;
    this.about = aboutOf(played.words);
    const story = new Story(played.words);
    let rolls: readonly RollCheck[] = [];
    this.steps = stepsOf(played, this.names, (update) => {
      story.add(update);
      rolls = played.checks(update);
      return { lines: story.lines.length, rolls: rolls.length };
    });
    [this.lines, this.all, this.unfair] = [story.lines, rolls, played.unfair()];
    this.playback = this.fresh();
  }

  /** Nobody wants to see a whole game at once. */
  get speed(): Speed {
    return settings.speed === 'instant' ? 'fast' : settings.speed;
  }

  /** The last step at which no more than this many entries of the record had been played. */
  stepAt(entries: number): number {
    return Math.max(0, this.steps.findLastIndex((step) => step.entries <= entries));
  }

  /** The step that an entry of the record belongs to. */
  stepOf(entry: number): number {
    const found = this.steps.findIndex((step) => step.entries > entry);
    return found < 0 ? this.last : found;
  }

  /** Show a step at once. */
  jump(to: number): void {
    this.playback = this.fresh();
    [this.thrown, this.turning, this.playing] = [null, false, false];
    this.at = Math.min(this.last, Math.max(0, to));
  }

  /** The next step as it happened: dice tumble first. */
  forward(): void {
    if (this.playing || this.playback.isBehind) this.jump(this.told + 1);
    else if (this.at < this.last) this.playback.add(this.steps[this.at + 1]!.update);
  }

  /** Play on from here, or from the beginning where this is the end; or stop. */
  toggle(): void {
    if (this.playing) return this.jump(this.at);
    if (this.at === this.last) this.jump(0);
    this.playing = true;
    if (!this.playback.isBehind) this.playback.add(this.steps[this.at + 1]!.update);
  }

  private fresh(): Playback {
    const mine: Playback = new Playback({
      play: (update) => this.throw(update as ReplayUpdate, () => mine === this.playback),
      show: () => {
        if (mine === this.playback) this.playOn(mine);
      },
      rest: () => {
        if (mine === this.playback) this.playing = false;
      },
      isFollowed: () => true,
      isRead: () => false,
      isBust: (update) => this.steps.find((step) => step.update === update)?.bust != null,
      isEnd: () => false, // a replay stays on its last position anyway
      speed: () => this.speed,
      mostBehind: () => Infinity,
    });
    return mine;
  }

  private async throw(update: ReplayUpdate, wanted: () => boolean): Promise<void> {
    if (!wanted()) return;
    this.thrown = thrownIn(update);
    if (this.thrown) await atRest();
    if (!wanted()) return;
    this.thrown = null;
    this.turning = update.events.some(({ event }) => event === 'RoundFought');
    this.at = Math.min(this.last, this.at + 1); // before the pause that a bust is felt for
    if (!this.turning) return;
    await atRest();
    if (wanted()) this.turning = false;
  }

  private playOn(playback: Playback): void {
    if (this.playing && this.at < this.last) playback.add(this.steps[this.at + 1]!.update);
  }

  private tableAt(step: Step): TableShown {
    const over = this.turning ? null : step.over;
    const phase = over && this.at === this.last ? this.base.phase : 'playing';
    return { ...this.base, n: step.update.n, phase, view: step.view, over, choices: {}, points: {}, deadline: null };
  }
}

type Told = (update: ReplayUpdate) => { lines: number; rolls: number };

function stepsOf({ updates, game }: Played, names: string[], tell: Told): Step[] {
  const steps: Step[] = [];
  const captions = new Captions(game, names);
  let [view, entries]: [View, number] = [{}, 0];
  for (const update of updates) {
    const told = tell(update);
    entries += update.entries;
    if (!update.view) continue;
    const bust = bustIn(update, view, game);
    view = { ...view, ...update.view };
    steps.push({ update, view, over: update.over ?? null, entries, caption: captions.after(update), bust, ...told });
  }
  return steps;
}

/** One line about what somebody did, which stays until there is something new to say. */
class Captions {
  private turn: EventTold[] = [];
  private said = '';

  constructor(
    private readonly game: GamePlayback | null,
    private readonly names: readonly string[],
  ) {}

  after({ events }: ReplayUpdate): string {
    for (const event of events) {
      if (this.game?.begins(event)) this.turn = [];
      this.turn.push(event);
      this.said = this.game?.caption(this.turn, this.names) || this.said;
    }
    this.turn = this.turn.slice(-MOST_OF_A_TURN);
    return this.said;
  }
}

function bustIn(update: ReplayUpdate, before: View, game: GamePlayback | null): Bust | null {
  for (const event of update.events) {
    const lost = game?.bust(event) ?? null;
    if (lost === null) continue;
    const named = update.events.find((one) => 'seat' in one || 'player' in one);
    const seat = (named?.['seat'] ?? named?.['player'] ?? (before['turn'] as number[] | undefined)?.[0]) as number | undefined;
    return { seat, lost };
  }
  return null;
}
