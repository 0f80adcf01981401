/** Following one table: its updates in order and without gaps, whatever sockets they come over. */
import type { TableShown, Update } from './types';

export interface Follower {
  /** The table was seen, or seen again after the line was lost; updates up to its n have been told before. */
  seen(table: TableShown): void;
  heard(update: Update): void;
  /** Something without a number: who watches, a warning, a seat taken over by another tab. */
  noticed(notice: Record<string, unknown>): void;
  refused(code: string, message: string): void;
}

export class Following {
  n = 0; // the last update that was told
  watching = false; // whether the socket that is open now has answered our watch
  private early = new Map<number, Update>();

  constructor(
    readonly table: string,
    readonly follower: Follower,
  ) {}

  /** The answer to a watch: what was missed, then what came meanwhile. */
  begin(shown: TableShown, missed: readonly Update[], spectators?: number): void {
    this.watching = true;
    for (const update of missed) this.keep(update);
    this.goOn();
    this.early.clear();
    this.n = Math.max(this.n, shown.n);
    this.follower.seen(shown);
    if (spectators !== undefined) this.follower.noticed({ total_spectators: spectators });
  }

  offer(update: Update): void {
    this.keep(update);
    if (this.watching) this.goOn();
  }

  /** Whether something is missing between what was told and what was heard. */
  get gap(): boolean {
    return this.watching && this.early.size > 0;
  }

  private keep(update: Update): void {
    if (update.n > this.n) this.early.set(update.n, update);
  }

  private goOn(): void {
    for (let next = this.early.get(this.n + 1); next; next = this.early.get(this.n + 1)) {
      this.early.delete(next.n);
      this.n = next.n;
      this.follower.heard(next);
    }
    for (const n of this.early.keys()) if (n <= this.n) this.early.delete(n);
  }
}
