import { describe, expect, test } from 'vitest';
import { translated, untranslated } from './sources';

const FILES = import.meta.glob<Record<string, string>>('./*.json', { import: 'default', eager: true });
const LANGUAGES = Object.entries(FILES).map(([path, catalogue]) => ({ path, catalogue }));
const texts = [...new Set(translated().map(({ text }) => text))];

/** The fields of a sentence; a field may stand there more than once, and have forms of a word. */
const fieldsOf = (text: string): string[] => [...new Set([...text.matchAll(/\{([a-zA-Z]+)(?::([a-z]+)\}|[^}]*\})/g)].map(([, name, style]) => `${name}:${style ?? ''}`))].sort();
const marksOf = (text: string): number => text.match(/\[[^\]]*\]/g)?.length ?? 0;

test('every text of the page is written out where it is translated', () => {
  expect(translated().filter(({ text }) => text === '')).toEqual([]);
});

test('no text in a template is left in English', () => {
  expect(untranslated()).toEqual([]);
}, 60_000); // it compiles every component

describe.each(LANGUAGES)('$path', ({ catalogue }) => {
  test('has every text of the page', () => {
    expect(texts.filter((text) => !(text in catalogue))).toEqual([]);
  });
  test('has no text that the page does not use', () => {
    expect(Object.keys(catalogue).filter((text) => !texts.includes(text))).toEqual([]);
  });
  test('has the same fields and marks as the English', () => {
    const differing = Object.entries(catalogue).filter(([text, own]) => String(fieldsOf(text)) !== String(fieldsOf(own)) || marksOf(text) !== marksOf(own));
    expect(differing).toEqual([]);
  });
  test('has no notes and no empty texts', () => {
    expect(Object.values(catalogue).filter((own) => own.trim() === '' || own.includes(' // '))).toEqual([]);
  });
});
