import { expect, test } from 'vitest';
import vectors from '../../../tests/wire/sentences.json';
import { curly } from './apostrophes';
import { render, type Told, type Words } from './sentences';
import { wordsOf } from './words';

interface Vector {
  game: string;
  told: Told;
  names: string[];
  text: string;
  german?: string;
}

const GERMAN = import.meta.glob<Words>('../../../src/dicehall/games/*/words/de.json', { import: 'default', eager: true });

for (const { game, told, names, text, german } of vectors as unknown as Vector[]) {
  test.runIf(game !== 'piglet')(`${game} tells ${told.event}: ${text}`, async () => {
    expect(render(await wordsOf(game), told, names)).toBe(curly(text)); // no name here has an apostrophe
    expect(render(GERMAN[`../../../src/dicehall/games/${game}/words/de.json`]!, told, names)).toBe(german);
  });
}

const STYLED: [Words[string], Record<string, unknown>, string][] = [
  ['{n}', { n: 5 }, '5'],
  ['{n}', { n: true }, 'true'],
  ['{n}', { n: null }, 'null'],
  ['{n:name}', { n: 1 }, 'Bo'],
  ['{n:name}', { n: null }, 'nobody'],
  ['{n:names}', { n: [] }, 'nobody'],
  ['{n:names}', { n: [2] }, 'Cy'],
  ['{n:names}', { n: [0, 1] }, 'Ann and Bo'],
  ['{n:names}', { n: [0, 1, 2] }, 'Ann, Bo and Cy'],
  ['{n:dice}', { n: [6, 1] }, '6 1'],
  ['{n:cards}', { n: 0 }, '1'],
  ['{n:each has}', { n: [7, 0, null] }, 'Ann has 7, Bo has 0 and Cy has null'],
  ['{n:each has}', { n: [7, 0] }, 'Ann has 7 and Bo has 0'],
  ['{n:each rolls a}', { n: [6, 1], seats: [2, 0] }, 'Cy rolls a 6 and Ann rolls a 1'],
  ['{0:name} {n.0}, {1:name} {n.1}', { n: [6, 1] }, 'Ann 6, Bo 1'],
  ['{n} {n:point|points}', { n: 1 }, '1 point'],
  ['{n} {n:point|points}', { n: 0 }, '0 points'],
  ['{n} {n:point|points}', { n: -1 }, '-1 points'],
  ['{n.inner.deep}', { n: { inner: { deep: 3 } } }, '3'],
  [{ by: 'n', '1': 'one', '*': 'many' }, { n: 1 }, 'one'],
  [{ by: 'n', '1': 'one', '*': 'many' }, { n: 2 }, 'many'],
  [{ by: 'n', true: 'yes', false: 'no' }, { n: false }, 'no'],
  [{ by: 'n', null: 'none', '*': { by: 'm', x: '{n} x', '*': '{n} other' } }, { n: 4, m: 'x' }, '4 x'],
  [{ by: 'n', '*': 'any' }, { n: 'toString' }, 'any'],
  ['{n:name} $& $1', { n: 0 }, 'Ann $& $1'],
];

test.each(STYLED)('%j with %j reads %s', (template, told, text) => {
  expect(render({ E: template }, { event: 'E', ...told }, ['Ann', 'Bo', 'Cy'])).toBe(text);
});

test('a name that looks like a template is only a name', () => {
  expect(render({ E: '{n:name}.' }, { event: 'E', n: 0 }, ['{n} $1'])).toBe('{n} $1.');
});

test('an event without words is our mistake, and says so', () => {
  expect(() => render({}, { event: 'Juggled' }, [])).toThrow('There are no words for Juggled.');
});

test('a translation has its own words for lists and for texts that events bring along', () => {
  const words: Words = { lists: { and: 'und', nobody: 'niemand' }, terms: { Fire: 'Feuer' }, Told: '{all:names}, {none:names}, {seat:name}: {league}' };
  expect(render(words, { event: 'Told', all: [0, 1], none: [], seat: null, league: 'Fire' }, ['Ann', 'Bo'])).toBe('Ann und Bo, niemand, niemand: Feuer');
});
