import { expect, test } from 'vitest';
import { curly } from './apostrophes';
import { Refused } from './http';
import { aboutOf, wordsOf } from './words';

test("no game's sentence or rule has a straight apostrophe", async () => {
  for (const game of ['aetharn', 'doordice', 'mana', 'tenthousand', 'wards']) expect(JSON.stringify(await wordsOf(game))).not.toContain("'");
  const words = await wordsOf('mana');
  expect(aboutOf(words).how[2]).toContain('doubles a unit\u2019s attack');
});

test('a refusal is typeset, too, but not what it quotes', () => {
  expect(new Refused({ code: 'bad_move', message: "It's Bo's turn." }).refusal.message).toBe('It\u2019s Bo\u2019s turn.');
  expect(curly("'all' is not a number.")).toBe("'all' is not a number.");
});
