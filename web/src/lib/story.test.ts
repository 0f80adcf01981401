import { expect, test } from 'vitest';
import { Story } from './story';
import { TABLE_WORDS } from './tableWords';
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
    'The table is open, and its dice are sealed.',
    'Ann sits down.',
    'The words are opened, and the game starts.',
    'Bot rolls a 3.',
    'Ann is away.',
    'Ann has left for good.',
  ]);
});

test('who moves to another chair takes the name along', () => {
  expect(
    told(
      { event: 'Sat', chair: 0, name: 'Ann' },
      { event: 'Carried', chair: 0, moved: 2 },
      { event: 'Asked', chair: 2 },
    ),
  ).toEqual(['Ann sits down.', 'Ann asks to start.']);
});

test('what nobody needs to hear is not told', () => {
  expect(told({ event: 'Words', chair: 0 }, { event: 'Carried', chair: 0 }, { event: 'Unheard' })).toEqual([]);
});

test('every event of a table that is told has words, and ends like a sentence', () => {
  const names = ['Opened', 'Sat', 'Stood', 'Asked', 'Started', 'Left', 'Deputed', 'Agreed', 'Reclaimed', 'Slept', 'Woke'];
  expect(Object.keys(TABLE_WORDS)).toEqual(expect.arrayContaining([...names, 'Restarted', 'Hinted', 'Destroyed']));
});
