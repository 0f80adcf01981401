import { expect, test } from 'vitest';
import page from '../../../docs/sealed-dice.md?raw';
import { checkRecord, readRecord, Unreadable, type GameRecord } from './record';

// The record that the page about sealed dice offers for trying a verifier on.
const TEXT = /```json\n([\s\S]+?)```/.exec(page)![1]!;
const record = (): GameRecord => readRecord(TEXT);

test('the record of the documents agrees with its seal', () => {
  const { why, rolls } = checkRecord(record(), record().seal.s0);
  expect(why).toBe('');
  expect(rolls.map((roll) => roll.faces[0])).toEqual([6, 6, 3, 3, 3, 5, 4]);
});

test('one face changed is found, and named by its roll', () => {
  const changed = record();
  changed.entries[6]!.roll = [4];
  expect(checkRecord(changed).why).toBe('Roll 3: The sealed dice were 3, but 4 was shown.');
});

test('one letter of the words changed is found', () => {
  const changed = record();
  changed.seal.words[0] = `A${changed.seal.words[0]!.slice(1)}`;
  expect(checkRecord(changed).why).toContain('The sealed dice were');
});

test('a roll left out is found', () => {
  const changed = record();
  changed.entries.splice(1, 1);
  expect(checkRecord(changed).why).toBe('Roll 1: This secret is not the one that was sealed.');
});

test('another seal than the one that was seen is found', () => {
  expect(checkRecord(record(), '0'.repeat(64)).why).toContain('not the one you saw');
});

test('a record without dice is not called checked', () => {
  expect(checkRecord({ ...record(), entries: [] }).why).toContain('nothing to check');
});

for (const [text, said] of [
  ['hello', 'not JSON'],
  ['null', 'not a Dicehall game record'],
  ['[]', 'not a Dicehall game record'],
  ['{"dicehall": 2}', 'not a Dicehall game record'],
  ['{"dicehall": 1, "game": "wards", "entries": [], "seats": []}', 'no seal'],
  ['{"dicehall": 1, "game": "wards", "entries": [], "seats": [], "seal": {"table": "x", "s0": "y", "words": [1]}}', 'The seal of this record'],
]) {
  test(`${text} is refused with a sentence`, () => {
    expect(() => readRecord(text!)).toThrow(Unreadable);
    expect(() => readRecord(text!)).toThrow(said!);
  });
}

const changed = (from: string, to: string): string => TEXT.replace(from, to);

test('6.0 and true are not the face 6', () => {
  for (const face of ['6.0', '6e0', 'true', '"6"']) expect(() => readRecord(changed('"roll": [6]', `"roll": [${face}]`))).toThrow(Unreadable);
});

test('an emptied roll is found', () => {
  expect(checkRecord(readRecord(changed('"roll": [6]', '"roll": []'))).why).not.toBe('');
});

test('a key that appears twice makes a record unreadable', () => {
  expect(() => readRecord(changed('"roll": [6]', '"roll": [5], "roll": [6]'))).toThrow(Unreadable);
});

test('dice are checked by the sides that the record states', () => {
  const { rolls, why } = checkRecord(readRecord(changed('"sides": [6]', '"sides": [2]')));
  expect([rolls[0]!.fair, why]).toEqual([false, 'Roll 1: The sealed dice were 2, but 6 was shown.']);
});

test('a record that was cut short is found by the end that it states', () => {
  const short = record();
  short.entries.pop();
  expect(checkRecord(short).why).toContain('says otherwise at its end');
  expect(checkRecord({ ...short, end: null })).toMatchObject({ why: '', over: false });
  expect(checkRecord(record()).over).toBe(true);
});
