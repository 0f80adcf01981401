/** A match over Nostr, as the referee bot tells it, in words and as the board of Mana shows it. */
import { t, uncapitalized } from '../../lib/language.svelte';
import { listed } from '../../lib/names';
import { shortened } from '../../lib/nostrNames';
import type { BotMatch, MatchSummary } from '../../lib/types';
import type { Fought, Unit, View } from '../../games/mana/view';

export const LIVE_MS = 2_000;
export const IDLE_MS = 10_000;
const ROUNDS = 5;

type Seat = 0 | 1;
type State = BotMatch['state'];
export const SEATS: readonly [Seat, Seat] = [0, 1];

const states = (): Record<State, string> => ({
  WaitingForAcceptance: t('Waiting for acceptance'),
  WaitingForCommitments: t('Waiting for commitments'),
  WaitingForReveals: t('Waiting for reveals'),
  ProcessingCombat: t('In combat'),
  RoundComplete: t('Round complete'),
  MatchComplete: t('Finished'),
  Abandoned: t('Abandoned'),
});
export const stateName = (state: State): string => states()[state];
export const isLive = (match: { state: State }): boolean => match.state !== 'MatchComplete' && match.state !== 'Abandoned';

export const namesOf = (match: { players: [string, string] }): [string, string] => [shortened(match.players[0]), shortened(match.players[1])];
/** Still shorter, for the board: the first letters behind npub1. */
export const boardNames = (match: { players: [string, string] }): [string, string] => [handle(match.players[0]), handle(match.players[1])];
const handle = (npub: string): string => `${npub.replace(/^npub1/, '').slice(0, 4)}…`;
const seatOf = (match: { players: [string, string] }, npub: string | null): Seat | null =>
  npub === match.players[0] ? 0 : npub === match.players[1] ? 1 : null;

/** Which of the two won; null before the end, and where nobody did. */
export const winnerOf = (match: MatchSummary | BotMatch): Seat | null => seatOf(match, match.winner);

/** How a match ended, or where it stands, in a few words. */
export function summaryOf(match: MatchSummary): string {
  if (!isLive(match)) return endOf(match);
  if (match.state === 'WaitingForAcceptance') return stateName(match.state);
  return t('Round {n}: {state}', { n: match.current_round, state: uncapitalized(stateName(match.state)) });
}

function endOf(match: MatchSummary | BotMatch): string {
  const [winner, [a, b]] = [winnerOf(match), match.score];
  if (winner === null) return match.reason === 'draw' ? t('Draw, {a}-{b}', { a, b }) : t('Abandoned');
  const name = namesOf(match)[winner];
  const score = winner === 0 ? `${a}-${b}` : `${b}-${a}`;
  return match.reason === 'forfeit' ? t('{name} won by forfeit', { name }) : t('{name} won {score}', { name, score });
}

const acted = (list: { player: string; round: number }[], match: BotMatch, seat: Seat): boolean =>
  list.some((one) => one.round === match.current_round && one.player === match.players[seat]);

/** Who has to do something now. */
export function awaited(match: BotMatch): Seat[] {
  if (match.state === 'WaitingForAcceptance') return [1];
  if (match.state === 'WaitingForCommitments') return SEATS.filter((seat) => !acted(match.commitments, match, seat));
  if (match.state === 'WaitingForReveals') return SEATS.filter((seat) => !acted(match.reveals, match, seat));
  return [];
}

export const awaitedNames = (match: BotMatch): string =>
  listed(awaited(match).map((seat) => namesOf(match)[seat]));

/** What is going on, in one sentence. */
export function sentenceOf(match: BotMatch): string {
  const [names, n, who] = [namesOf(match), match.current_round, awaitedNames(match)];
  switch (match.state) {
    case 'WaitingForAcceptance':
      return t('Waiting for {who} to accept the challenge.', { who });
    case 'WaitingForCommitments':
      return who ? t('Round {n}: waiting for {who} to commit to a unit.', { n, who }) : t('Round {n}: both have committed.', { n });
    case 'WaitingForReveals':
      return who ? t('Round {n}: both have committed. Waiting for {who} to reveal.', { n, who }) : t('Round {n}: both have revealed.', { n });
    case 'ProcessingCombat':
      return t('Round {n}: both have revealed. The bot is checking the tokens.', { n });
    case 'RoundComplete':
      return t('Round {n} is over. Its result is on the way to the relays.', { n: match.rounds.length });
    case 'Abandoned':
      if (match.acceptance_event_id === null) return t('Abandoned: {name} did not accept the challenge in time.', { name: names[1] });
      return t('Abandoned: neither player acted in time.');
  }
  const winner = winnerOf(match);
  if (winner === null) return t('A draw: {a}-{b}, with the same total damage.', { a: match.score[0], b: match.score[1] });
  const name = names[winner];
  if (match.reason === 'forfeit') return t('{name} wins by forfeit: {other} did not act in time.', { name, other: names[1 - winner]! });
  const [mine, theirs] = [match.score[winner], match.score[1 - winner]!];
  return mine === theirs ? t('{name} wins on damage after {mine}-{theirs}.', { name, mine, theirs }) : t('{name} wins {mine}-{theirs}.', { name, mine, theirs });
}

/** The rounds that were fought, with the units as numbers within their armies. */
export function foughtRounds(match: BotMatch): Fought[] {
  return match.rounds.flatMap((round) => {
    const picks = SEATS.map((seat) => match.reveals.find((one) => one.round === round.round && one.player === match.players[seat])?.unit_index);
    const [first, second] = picks;
    if (!match.units[0]?.[first ?? -1] || !match.units[1]?.[second ?? -1]) return [];
    const health: [number, number] = [round.player1_unit.health, round.player2_unit.health];
    return [{ picks: [first!, second!], damage: round.damage_dealt, health, winner: seatOf(match, round.winner) }];
  });
}

/** The match as the board of Mana shows a game. */
export function viewOf(match: BotMatch): View {
  const [a, b] = match.leagues;
  return {
    round: match.current_round,
    wins: match.score,
    damage: match.total_damage,
    leagues: a === null || b === null ? null : [a, b],
    units: armiesOf(match),
    picked: isLive(match) ? SEATS.filter((seat) => acted(match.commitments, match, seat)) : [],
    rounds: foughtRounds(match),
    phase: isLive(match) ? 'commit' : 'over',
    picks: [null, null],
    last_round: ROUNDS,
    spent: [[], []],
  };
}

/** Whether there is anything to lay on a table. */
export const hasBoard = (match: BotMatch): boolean => match.acceptance_event_id !== null && (isLive(match) || match.units.some((army) => army !== null));

export const armiesOf = (match: BotMatch): [Unit[], Unit[]] => [match.units[0] ?? [], match.units[1] ?? []];

export interface Told {
  what: string;
  who: string; // '' for the bot
  id: string;
  published: boolean;
}
export interface Chapter {
  title: string;
  events: Told[];
}

const saidByBot = (): Record<string, string> => ({
  match_announcement: t('Announcement'),
  reveal_request: t('Reveal request'),
  round_result: t('Round result'),
  match_result: t('Match result'),
  loot_reward: t('Loot reward'),
  verification_result: t('Verification result'),
});

/** Every event of a match: the challenge, round by round, and the end. */
export function chaptersOf(match: BotMatch): Chapter[] {
  const [first, second] = match.players;
  const player = (what: string, who: string, id: string | null): Told[] => (id === null ? [] : [{ what, who, id, published: true }]);
  const bot = match.events.map(({ name, event_id, published, round }) => ({ name, round: round ?? null, told: { what: saidByBot()[name] ?? name, who: '', id: event_id, published } }));
  const announced = bot.filter((one) => one.name === 'match_announcement').map((one) => one.told);
  const before = [...player(t('Challenge'), first, match.challenge_event_id), ...announced.slice(0, 1), ...player(t('Acceptance'), second, match.acceptance_event_id), ...announced.slice(1)];
  const numbers = [...match.commitments, ...match.reveals, ...match.rounds].map((one) => one.round);
  const rounds = [...new Set(numbers)].sort((a, b) => a - b).map((number) => ({ title: t('Round {n}', { n: number }), events: roundEvents(number) }));
  const after = bot.filter((one) => one.name !== 'match_announcement' && one.round === null).map((one) => one.told);
  const known = new Set([...before, ...rounds.flatMap((one) => one.events), ...after].map((one) => one.id));
  const checks = match.verifications.flatMap((one) => player(t('Verification'), one.player, one.event_id)).filter((one) => !known.has(one.id));
  return [{ title: t('Before the first round'), events: before }, ...rounds, { title: t('After the last round'), events: [...after, ...checks] }].filter((one) => one.events.length);

  function roundEvents(number: number): Told[] {
    const said = (...names: string[]): Told[] => bot.filter((one) => one.round === number && names.includes(one.name)).map((one) => one.told);
    const others = bot.filter((one) => one.round === number && one.name !== 'reveal_request' && one.name !== 'round_result').map((one) => one.told);
    const of = <T extends { round: number; player: string; event_id: string }>(list: T[], what: (one: T) => string): Told[] =>
      list.filter((one) => one.round === number).flatMap((one) => player(what(one), one.player, one.event_id));
    const shown = of(match.reveals, (one) => (one.unit_index === null ? t('Reveal') : t('Reveal: unit {n}', { n: one.unit_index + 1 })));
    return [...of(match.commitments, () => t('Commitment')), ...said('reveal_request'), ...shown, ...said('round_result'), ...others];
  }
}

/** How long to wait before a match is asked for again: until everything about it is said. */
export function matchPause(match: BotMatch | null): number {
  if (match === null) return IDLE_MS;
  const settled = !isLive(match) && match.loot?.state !== 'queued' && match.events.every((one) => one.published);
  return settled ? IDLE_MS : LIVE_MS;
}
