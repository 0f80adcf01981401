/** The story of a table: every event as a sentence, with the names of those who were there. */
import { render, type Told, type Words } from './sentences';
import { TABLE_WORDS } from './tableWords';
import type { EventTold, Update } from './types';

export interface Line {
  n: number; // the update it came with
  at: number;
  text: string;
  event: EventTold;
  ofGame: boolean;
}

/** Folds updates into lines; chairs have numbers until the game starts, then seats count. */
export class Story {
  readonly lines: Line[] = [];
  private chairs: string[] = [];
  private order: number[] | null = null;

  constructor(private readonly words: Words) {}

  /** The names by seat, once the game has started. */
  get names(): string[] | null {
    return this.order && this.order.map((chair) => this.chairs[chair] ?? `chair ${chair + 1}`);
  }

  add(update: Update): Line[] {
    const fresh = update.events.flatMap((event) => this.line(update, event) ?? []);
    this.lines.push(...fresh);
    return fresh;
  }

  private line(update: Update, event: EventTold): Line | null {
    this.fold(event);
    const ofGame = event.event in this.words;
    if (!ofGame && !(event.event in TABLE_WORDS)) return null;
    const names = ofGame ? (this.names ?? []) : this.chairs;
    const told: Told = ofGame ? event : { good: null, ...event };
    return { n: update.n, at: update.at, text: render(ofGame ? this.words : TABLE_WORDS, told, names), event, ofGame };
  }

  private fold(event: EventTold): void {
    if (event.event === 'Opened') {
      for (const bot of (event['bots'] as { chair: number; name: string }[] | undefined) ?? []) {
        this.chairs[bot.chair] = bot.name;
      }
    }
    if (event.event === 'Sat') this.chairs[event['chair'] as number] = event['name'] as string;
    if (event.event === 'Carried' && typeof event['moved'] === 'number') {
      this.chairs[event['moved']] = this.chairs[event['chair'] as number] ?? '';
    }
    if (event.event === 'Started') this.order = event['order'] as number[];
  }
}
