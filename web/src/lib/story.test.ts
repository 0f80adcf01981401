import { expect, test } from 'vitest';
import { Story } from './story';
import { tableWords } from './tableWords';
import type { EventTold } from './types';

const WORDS = { Rolled: '{seat:name} rolls a {face}.' };

function told(...events: object[]): string[] {
  const story = new Story(WORDS);
  events.forEach((event, i) => story.add({ n: i + 1, at: 0, events: [{ to: null, ...event } as EventTold] }));
  return story.lines.map((line) => line.text);
}

test('seats are named in the order of the game, chairs by their numbers', () => {
  expect(
    told(
      { event: 'Opened', bots: [{ chair: 1, name: 'Bot', level: 'greedy' }] },
      { event: 'Sat', chair: 0, name: 'Ann' },
      { event: 'Started', order: [1, 0], words: ['', ''] },
      { event: 'Rolled', seat: 0, face: 3 },
      { event: 'Left', chair: 0, lost: true },
      { event: 'Left', chair: 0, good: true },
    ),
  ).toEqual([
    'The table is open. Its dice are sealed.',
    'Ann sits down.',
    'The game begins.',
    'Bot rolls a 3.',
    'Ann is away.',
    'Ann left for good.',
  ]);
});

test('that a turn ends is not said where the next one starts with it', () => {
  const story = new Story({ TurnEnded: 'The turn of {player:name} is over.', TurnStarted: 'It is the turn of {player:name}.' });
  story.add({ n: 1, at: 0, events: [{ to: null, event: 'Started', order: [] }, { to: null, event: 'TurnEnded', player: 0 }, { to: null, event: 'TurnStarted', player: 1 }] });
  story.add({ n: 2, at: 0, events: [{ to: null, event: 'TurnEnded', player: 1 }] });
  expect(story.lines.map((line) => line.text)).toEqual(['The game begins.', 'It is the turn of seat 1.', 'The turn of seat 1 is over.']);
});

test('that a turn ends is not said where the game ends with it', () => {
  const story = new Story({ TurnEnded: 'The turn of {player:name} is over.', GameEnded: '{winner:name} wins.' });
  story.add({ n: 1, at: 0, events: [{ to: null, event: 'TurnEnded', player: 0 }, { to: null, event: 'GameEnded', winner: 0 }] });
  expect(story.lines.map((line) => line.text)).toEqual(['seat 0 wins.']);
});

test('why a table was closed is a whole sentence', () => {
  const closed = (why: string): string | undefined => told({ event: 'Destroyed', why })[0];
  expect(closed('closed by its opener')).toBe('The table was closed by the person who opened it.');
  expect(closed('nobody was here for 30 minutes')).toBe('The table was closed because it was empty for half an hour.');
  expect(closed('The day of this challenge is over.')).toBe('The day of this challenge is over.');
  expect(closed('Ann ended the game')).toBe('Ann ended the game.');
  expect(closed('the server moves')).toBe('The table was closed: the server moves.');
});

test('who moves to another chair takes the name along', () => {
  expect(
    told(
      { event: 'Sat', chair: 0, name: 'Ann' },
      { event: 'Carried', chair: 0, moved: 2 },
      { event: 'Asked', chair: 2 },
    ),
  ).toEqual(['Ann sits down.', 'Ann is ready.']);
});

test('what nobody needs to hear is not told', () => {
  expect(told({ event: 'Words', chair: 0 }, { event: 'Carried', chair: 0 }, { event: 'Unheard' })).toEqual([]);
});

test('who comes back is told once, by the game where it has words for it', () => {
  const left = [{ event: 'Sat', chair: 0, name: 'Ann' }, { event: 'Left', chair: 0, lost: true }];
  expect(told(...left, { event: 'Carried', chair: 0 }, { event: 'Carried', chair: 0 }).slice(1)).toEqual(['Ann is away.', 'Ann is back.']);
  const story = new Story({ Absent: '{seat:name} has left the chair.' });
  story.add({ n: 1, at: 0, events: [{ to: null, event: 'Sat', chair: 0, name: 'Ann' }, { to: null, event: 'Started', order: [0] }] });
  story.add({ n: 2, at: 0, events: [{ to: null, event: 'Left', chair: 0 }, { to: null, event: 'Absent', seat: 0 }] });
  expect(story.lines.at(-1)?.text).toBe('Ann has left the chair.');
  expect(story.lines.map((line) => line.text)).not.toContain('Ann is away.');
});

test('somebody who only reads comes back to a sleeping table without waking it', () => {
  const sitting = [{ event: 'Sat', chair: 0, name: 'Ann' }, { event: 'Sat', chair: 1, name: 'Bo' }];
  const away = [{ event: 'Left', chair: 0, lost: true }, { event: 'Slept' }];
  const back = [{ event: 'Carried', chair: 0, quiet: true }, { event: 'Carried', chair: 1 }];
  const lines = told(...sitting, ...away, ...back);
  expect(lines.slice(-2)).toEqual(['Ann is back.', 'Bo is back. The game resumes.']);
});

test('a table falls asleep after what happened last, and who comes wakes it', () => {
  const story = new Story(WORDS);
  story.add({ n: 1, at: 0, events: [{ to: null, event: 'Sat', chair: 0, name: 'Ann' }, { to: null, event: 'Started', order: [0] }] });
  story.add({ n: 2, at: 0, events: [{ to: null, event: 'Slept' }, { to: null, event: 'Rolled', seat: 0, face: 2 }] });
  story.add({ n: 3, at: 0, events: [{ to: null, event: 'Carried', chair: 0 }] });
  expect(story.lines.slice(-3).map((line) => line.text)).toEqual([
    'Ann rolls a 2.',
    'Paused: nobody is playing.',
    'Ann is back. The game resumes.',
  ]);
});

test('every event of a table that is told has words, and ends like a sentence', () => {
  const names = ['Opened', 'Sat', 'Stood', 'Asked', 'Started', 'Left', 'Deputed', 'Agreed', 'Reclaimed', 'Slept', 'Woke'];
  expect(Object.keys(tableWords())).toEqual(expect.arrayContaining([...names, 'Restarted', 'Hinted', 'Destroyed']));
});
