/** The dice of one table, checked roll by roll as its updates come, against what this browser kept of it. */
import { t } from './language.svelte';
import { DiceWatch, type Roll, type RollCheck } from './seal';
import type { EventTold, Update } from './types';

/** What this browser knows of a table from before its person sat down. */
export interface Kept {
  seal: string;
  words: string | null;
  opened?: boolean;
}

export const keptAs = (table: string): string => `table:${table}`;

export class TableDice {
  readonly checks: RollCheck[] = [];
  unfair = ''; // what is wrong with the words or the seal, if anything is
  private dice: DiceWatch | null = null;
  private daily = false; // a daily challenge, into which no words are mixed

  constructor(
    private readonly id: string,
    private readonly mine: () => Kept | null,
    private readonly seated: () => boolean,
  ) {}

  hear(update: Update): void {
    for (const event of update.events) this.watch(event, update.n);
    for (const roll of update.rolls ?? []) if (this.dice) this.checks.push(this.daily ? this.sealed(roll, update.n, this.dice) : this.dice.check(roll, update.n));
  }

  /** A roll whose secret is opened the day after: boards show it, and nobody can check it yet. */
  private sealed(roll: Roll, n: number, { seal }: DiceWatch): RollCheck {
    const unknown = { fair: false, why: t('The dice of this day have not been opened yet.'), linked: false, fell: null, words: [], mine: -1 };
    return { ...roll, ...unknown, number: this.checks.length + 1, n, before: seal, isSealed: true };
  }

  private watch(event: EventTold, n: number): void {
    if (event.event === 'Opened') {
      this.daily = (event['challenge'] ?? null) !== null;
      const { seal, words } = this.mine() ?? { seal: event['s0'] as string, words: null };
      this.dice = new DiceWatch(this.id, seal, words);
      if (seal !== event['s0']) this.unfair = t('This table’s seal is not the one you saw before sitting down.');
    }
    if (event.event === 'Started' && this.dice) {
      const words = event['words'] as string[];
      const dice = new DiceWatch(this.id, this.dice.seal, this.seated() ? (this.mine()?.words ?? null) : null);
      this.dice = dice;
      this.unfair ||= dice.begin(words);
      const drawn = event['drawn'] as { faces: number[]; opened: string } | undefined;
      const sides = words.map((_, i) => words.length - i).slice(0, -1);
      if (drawn) this.checks.push(dice.check({ ...drawn, sides }, n));
    }
  }
}
