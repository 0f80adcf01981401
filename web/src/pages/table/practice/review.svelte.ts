/** What my last turn cost, where a table is for practice; told under the felt, and in short beside whose turn it is. */
import { hall } from '../../../lib/hall.svelte';
import { keep, kept } from '../../../lib/kept';
import type { CostlyChoice, Reviewed } from '../../../lib/types';

const SWITCH = 'practice';

export class TurnReview {
  on = $state(kept<{ on: boolean }>(SWITCH)?.on ?? true);
  private said = $state.raw<Reviewed | null>(null);

  get mistake(): CostlyChoice | null {
    return this.on ? (this.said?.mistake ?? null) : null;
  }

  /** Asks what the turn that has just ended cost; a game goes on without it. */
  async ask(table: string): Promise<void> {
    try {
      this.said = await hall.ask<Reviewed>({ do: 'review', table });
    } catch {
      this.said = null;
    }
  }

  dismiss(): void {
    this.said = null;
  }

  turn(): void {
    this.on = !this.on;
    keep(SWITCH, { on: this.on });
  }
}
