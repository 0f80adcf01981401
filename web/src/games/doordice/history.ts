/** What everybody did, round by round, from what was told. */
import { t } from '../../lib/language.svelte';
import type { EventTold } from '../../lib/types';

export interface Deed {
  face: number;
  ghost: boolean; // read on the table of the fallen
  effect: string | null; // null: still to be chosen, or let go by
  forgone: boolean;
  target: number | null;
  change: string; // "−4 HP"
  felled: boolean;
}

export interface Round {
  round: number;
  deeds: (Deed | null)[]; // by seat
}

const signed = (number: number): string => (number < 0 ? `−${-number}` : `+${number}`);

function changeOf(event: EventTold): string {
  const [hp, vp, stolen] = ['hp_change', 'vp_change', 'stolen'].map((name) => Number(event[name] ?? 0)) as [number, number, number];
  if (stolen) return t('{n} VP', { n: `+${stolen}` });
  if (hp) return t('{n} HP', { n: signed(hp) });
  return vp ? t('{n} VP', { n: signed(vp) }) : t('nothing // happens');
}

export function historyOf(events: readonly EventTold[], seats: number): Round[] {
  const rounds: Round[] = [];
  for (const event of events) {
    if (event.event === 'RoundStarted') rounds.push({ round: event['round'] as number, deeds: Array<Deed | null>(seats).fill(null) });
    const deeds = rounds.at(-1)?.deeds;
    if (deeds) tell(deeds, event);
  }
  return rounds;
}

function tell(deeds: (Deed | null)[], event: EventTold): void {
  const seat = event['seat'] as number;
  const deed = deeds[seat];
  if (event.event === 'Rolled') {
    const [face, ghost] = [event['face'] as number, event['alive'] === false];
    deeds[seat] = { face, ghost, effect: null, forgone: false, target: null, change: '', felled: false };
  } else if (event.event === 'EffectDone' && deed) {
    const [effect, target] = [event['effect'] as string, (event['target'] as number | null) ?? null];
    deeds[seat] = { ...deed, effect, target, change: changeOf(event) };
  } else if (event.event === 'ChoiceForgone' && deed) {
    deeds[seat] = { ...deed, forgone: true };
  } else if (event.event === 'Fell') {
    const by = deeds.findLastIndex((one, at) => one !== null && (one.target ?? at) === seat);
    if (by >= 0) deeds[by] = { ...deeds[by]!, felled: true };
  }
}

/** What the last effect changed, seat by seat, to show it where it happened. */
export function lastChanges(events: readonly EventTold[]): Record<number, string[]> {
  const at = events.findLastIndex((event) => event.event === 'EffectDone');
  const changes: Record<number, string[]> = {};
  const add = (seat: number, number: number, unit: 'HP' | 'VP'): void => {
    const n = signed(number);
    if (number) (changes[seat] ??= []).push(unit === 'HP' ? t('{n} HP', { n }) : t('{n} VP', { n }));
  };
  for (const event of at < 0 ? [] : events.slice(at)) {
    const seat = event['seat'] as number;
    if (event.event === 'EffectDone') {
      const whom = (event['target'] as number | null) ?? seat;
      add(whom, Number(event['hp_change'] ?? 0), 'HP');
      add(whom, Number(event['vp_change'] ?? 0), 'VP');
      add(seat, Number(event['stolen'] ?? 0), 'VP');
    }
    if (event.event === 'EliminationScored') add(seat, Number(event['points'] ?? 0), 'VP');
  }
  return changes;
}
