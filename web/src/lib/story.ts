/** The game log of a table: every event as a sentence, with the names of those who were there. */
import { t } from './language.svelte';
import { withoutLevel } from './names';
import { render, type Told, type Words } from './sentences';
import { closing, tableWords } from './tableWords';
import type { EventTold, Update } from './types';

export interface Line {
  n: number; // the update it came with
  at: number;
  text: string;
  event: EventTold;
  ofGame: boolean;
}

const WAKING = new Set(['Carried', 'Deputed', 'Reclaimed', 'Woke']);

const NEXT = new Set(['TurnStarted', 'GameEnded']);
/** A turn that ends as the next one starts, or the game is won (Aetharn): what comes next says both. */
const endsBeforeNext = (update: Update, event: EventTold): boolean => event.event === 'TurnEnded' && update.events.some((other) => NEXT.has(other.event));

/** Folds updates into lines; chairs have numbers until the game starts, then seats count. */
export class Story {
  readonly lines: Line[] = [];
  private chairs: string[] = [];
  private order: number[] | null = null;
  private away = new Set<number>(); // chairs
  private asleep = false;

  private readonly atTable = tableWords();

  constructor(private readonly words: Words) {}

  /** The names by seat, once the game has started. */
  get names(): string[] | null {
    return this.order && this.order.map((chair) => this.chairs[chair] ?? t('chair {n}', { n: chair + 1 }));
  }

  add(update: Update): Line[] {
    const sleepLast = [...update.events].sort((a, b) => Number(a.event === 'Slept') - Number(b.event === 'Slept'));
    const fresh = sleepLast.flatMap((event) => this.line(update, event) ?? []);
    this.lines.push(...fresh);
    return fresh;
  }

  private line(update: Update, event: EventTold): Line | null {
    const how = this.comingBack(event);
    this.fold(event);
    if (this.saidByGame(update, event) || endsBeforeNext(update, event) || (event.event === 'Carried' && how === null)) return null;
    const ofGame = event.event in this.words;
    if (!ofGame && !(event.event in this.atTable)) return null;
    const names = ofGame ? (this.names ?? []) : this.chairs;
    const told: Told = ofGame ? event : { good: null, how, ...event, ...(event.event === 'Destroyed' && closing(String(event['why']))) };
    return { n: update.n, at: update.at, text: render(ofGame ? this.words : this.atTable, told, names), event, ofGame };
  }

  /** What it means that a connection carries a seat; nothing, if its person was there anyway. */
  private comingBack(event: EventTold): string | null {
    if (event.event !== 'Carried') return null;
    return this.asleep && !event['quiet'] ? 'woke' : this.away.has(event['chair'] as number) ? 'back' : null;
  }

  /** Games with absences (Aetharn) tell of them in their own words. */
  private saidByGame(update: Update, event: EventTold): boolean {
    const absence = (event.event === 'Left' && !event['good']) || event.event === 'Carried';
    return absence && update.events.some((other) => other.event in this.words);
  }

  private fold(event: EventTold): void {
    this.asleep = event.event === 'Slept' || (this.asleep && (!WAKING.has(event.event) || !!event['quiet']));
    if (event.event === 'Left') this.away.add(event['chair'] as number);
    if (event.event === 'Carried' || event.event === 'Reclaimed') this.away.delete(event['chair'] as number);
    if (event.event === 'Opened') {
      for (const bot of (event['bots'] as { chair: number; name: string }[] | undefined) ?? []) {
        this.chairs[bot.chair] = withoutLevel(bot.name);
      }
    }
    if (event.event === 'Sat') this.chairs[event['chair'] as number] = (event['bot'] ? withoutLevel : String)(event['name'] as string);
    if (event.event === 'Carried' && typeof event['moved'] === 'number') {
      this.chairs[event['moved']] = this.chairs[event['chair'] as number] ?? '';
    }
    if (event.event === 'Started') this.order = event['order'] as number[];
  }
}
