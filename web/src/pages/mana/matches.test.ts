import { expect, test } from 'vitest';
import type { BotMatch, MatchUnit } from '../../lib/types';
import { awaited, boardNames, chaptersOf, foughtRounds, hasBoard, isLive, matchPause, sentenceOf, summaryOf, viewOf } from './matches';

const [ANN, BO] = ['npub1annnnnnnnnnnnnnnnnnnnnnn', 'npub1boooooooooooooooooooooooo'];
const unit = (health: number): MatchUnit => ({ attack: 20, defense: 10, health, max_health: 30, ability: 'None' });
const army = Array.from({ length: 8 }, () => unit(30));
const commitment = (player: string, round: number) => ({ player, round, hash: 'h', event_id: `c${round}${player}`, timestamp: 1 });
const reveal = (player: string, round: number, unit_index: number) => ({ player, round, unit: unit(30), unit_index, token_secret: null, event_id: `r${round}${player}` });

function match(changes: Partial<BotMatch> = {}): BotMatch {
  return {
    match_id: 'friday', players: [ANN, BO], current_round: 1, state: 'WaitingForCommitments', rounds: [], commitments: [], reveals: [],
    created_at: 1, timeout_at: 301, leagues: [null, null], units: [null, null], score: [0, 0], total_damage: [0, 0], winner: null, reason: null,
    ended_at: null, challenge_event_id: 'challenge', acceptance_event_id: 'acceptance', events: [], loot: null, verifications: [], ...changes,
  };
}

const fought = match({
  current_round: 2, units: [army, army], leagues: [0, 3], score: [0, 1], commitments: [commitment(ANN, 1), commitment(BO, 1), commitment(BO, 2)],
  reveals: [reveal(ANN, 1, 2), reveal(BO, 1, 5)],
  rounds: [{ round: 1, player1_unit: unit(0), player2_unit: unit(12), damage_dealt: [18, 40], winner: BO, event_id: 'result1' }],
  events: [
    { name: 'match_announcement', event_id: 'a1', published: true }, { name: 'match_announcement', event_id: 'a2', published: true },
    { name: 'reveal_request', event_id: 'rr1', round: 1, published: true }, { name: 'round_result', event_id: 'result1', round: 1, published: false },
  ],
});

test.each<[string, Partial<BotMatch>, string]>([
  ['a challenge', { state: 'WaitingForAcceptance', acceptance_event_id: null }, 'Waiting for npub1booo…oooo to accept the challenge.'],
  ['nobody has committed', {}, 'Round 1: waiting for npub1annn…nnnn and npub1booo…oooo to commit to a unit.'],
  ['one has committed', { commitments: [commitment(BO, 1)] }, 'Round 1: waiting for npub1annn…nnnn to commit to a unit.'],
  ['one has revealed', { state: 'WaitingForReveals', reveals: [reveal(ANN, 1, 0)] }, 'Round 1: both have committed. Waiting for npub1booo…oooo to reveal.'],
  ['the mint is asked', { state: 'ProcessingCombat' }, 'Round 1: both have revealed. The bot is checking the tokens.'],
  ['a round is over', { state: 'RoundComplete', current_round: 2, rounds: fought.rounds }, 'Round 1 is over. Its result is on the way to the relays.'],
  ['won by rounds', { state: 'MatchComplete', reason: 'rounds', winner: BO, score: [1, 3] }, 'npub1booo…oooo wins 3-1.'],
  ['won on damage', { state: 'MatchComplete', reason: 'rounds', winner: ANN, score: [2, 2] }, 'npub1annn…nnnn wins on damage after 2-2.'],
  ['a draw', { state: 'MatchComplete', reason: 'draw', score: [2, 2] }, 'A draw: 2-2, with the same total damage.'],
  ['a forfeit', { state: 'MatchComplete', reason: 'forfeit', winner: ANN }, 'npub1annn…nnnn wins by forfeit: npub1booo…oooo did not act in time.'],
  ['never accepted', { state: 'Abandoned', reason: 'abandoned', acceptance_event_id: null }, 'Abandoned: npub1booo…oooo did not accept the challenge in time.'],
  ['given up by both', { state: 'Abandoned', reason: 'abandoned' }, 'Abandoned: neither player acted in time.'],
])('%s is told in a sentence', (_, changes, sentence) => {
  expect(sentenceOf(match(changes))).toBe(sentence);
});

test.each<[Partial<BotMatch>, string]>([
  [{ state: 'WaitingForAcceptance' }, 'Waiting for acceptance'],
  [{ state: 'WaitingForReveals', current_round: 3 }, 'Round 3: waiting for reveals'],
  [{ state: 'MatchComplete', reason: 'rounds', winner: BO, score: [1, 3] }, 'npub1booo…oooo won 3-1'],
  [{ state: 'MatchComplete', reason: 'forfeit', winner: ANN }, 'npub1annn…nnnn won by forfeit'],
  [{ state: 'MatchComplete', reason: 'draw', score: [1, 1] }, 'Draw, 1-1'],
  [{ state: 'Abandoned', reason: 'abandoned' }, 'Abandoned'],
])('in a list %j is "%s"', (changes, summary) => {
  expect(summaryOf(match(changes))).toBe(summary);
});

test('a fight has the units that were revealed, the damage, and the health after it', () => {
  expect(foughtRounds(fought)).toEqual([{ picks: [2, 5], damage: [18, 40], health: [0, 12], winner: 1 }]);
  expect(foughtRounds({ ...fought, units: [army, null] })).toEqual([]);
});

test('who has committed in the open round lies face down, and who has not is awaited', () => {
  expect(viewOf(fought)).toMatchObject({ round: 2, picked: [1], leagues: [0, 3], wins: [0, 1], last_round: 5 });
  expect(awaited(fought)).toEqual([0]);
  expect(viewOf({ ...fought, state: 'MatchComplete' }).picked).toEqual([]);
});

test('events are told round by round, each once', () => {
  const told = chaptersOf({ ...fought, verifications: [{ player: ANN, valid: true, reason: null, event_id: 'v' }, { player: BO, valid: true, reason: null, event_id: 'a2' }] });
  expect(told.map(({ title, events }) => [title, events.map((event) => event.id)])).toEqual([
    ['Before the first round', ['challenge', 'a1', 'acceptance', 'a2']],
    ['Round 1', [`c1${ANN}`, `c1${BO}`, 'rr1', `r1${ANN}`, `r1${BO}`, 'result1']],
    ['Round 2', [`c2${BO}`]],
    ['After the last round', ['v']],
  ]);
  expect(told[1]!.events.map((event) => event.what)).toEqual(['Commitment', 'Commitment', 'Reveal request', 'Reveal: unit 3', 'Reveal: unit 6', 'Round result']);
  expect(told[1]!.events.at(-1)).toMatchObject({ who: '', published: false });
});

test('an event that is not known by name is told by that name', () => {
  const told = chaptersOf(match({ events: [{ name: 'news', event_id: 'n', published: true, round: null }] }));
  expect(told.at(-1)).toEqual({ title: 'After the last round', events: [{ what: 'news', who: '', id: 'n', published: true }] });
});

test('a match is asked for often while it is live, or while something about it is still to come', () => {
  const over = match({ state: 'MatchComplete', loot: { amount: 9, state: 'paid', event_id: 'l' } });
  expect([isLive(fought), isLive(over)]).toEqual([true, false]);
  expect(matchPause(fought)).toBe(2000);
  expect(matchPause({ ...over, loot: { amount: 9, state: 'queued', event_id: null } })).toBe(2000);
  expect(matchPause({ ...over, events: fought.events })).toBe(2000);
  expect(matchPause(over)).toBe(10_000);
  expect(matchPause(null)).toBe(10_000);
});

test('there is a board once both have agreed to play', () => {
  expect(hasBoard(match())).toBe(true);
  expect(hasBoard(match({ acceptance_event_id: null, state: 'WaitingForAcceptance' }))).toBe(false);
  expect(hasBoard(match({ state: 'Abandoned' }))).toBe(false);
  expect(boardNames(fought)).toEqual(['annn…', 'booo…']);
});
