import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Language, ownName, pieces, t, template } from './language.svelte';

describe('a sentence of the page', () => {
  test('is its own English', () => expect(t('Your turn')).toBe('Your turn'));
  test('has its fields filled in', () => expect(t('{name} wins {score}', { name: 'Ann', score: '9-3' })).toBe('Ann wins 9-3'));
  test('knows one and many', () => {
    expect(t('{n} {n:point|points}', { n: 1 })).toBe('1 point');
    expect(t('{n} {n:point|points}', { n: 2 })).toBe('2 points');
    expect(t('{n} {n:point|points}', { n: 0 })).toBe('0 points');
  });
  test('has a note for translators that nobody else sees', () => expect(t('Play // the verb')).toBe('Play'));
  test('can have marked pieces, whatever its fields hold', () => {
    expect(pieces('[Sign up] to keep {name}.', { name: '[x] {y}' })).toEqual(['', 'Sign up', ' to keep [x] {y}.']);
  });
  test('leaves its fields to somebody else as a template', () => expect(template('{chair:name} took {n} hints')).toBe('{chair:name} took {n} hints'));
});

describe('a language', () => {
  beforeEach(() => {
    vi.stubGlobal('document', { documentElement: {} });
    vi.stubGlobal('navigator', { languages: ['pl-PL', 'de-AT', 'en'] });
  });
  afterEach(() => vi.unstubAllGlobals());
  const file = (texts: Record<string, string>) => ({ '../words/pl.json': () => Promise.resolve(texts) });
  const split = (): Language => new Language(file({ 'Your turn': 'Ýöür türñ' }), file({ Key: 'Kéý' }));
  const pseudo = split();

  test('is one file, and nothing else', async () => {
    expect(pseudo.codes).toEqual(['en', 'pl']);
    await pseudo.choose('pl');
    expect([pseudo.code, document.documentElement.lang]).toEqual(['pl', 'pl']);
    expect(pseudo.translate('Your turn')).toBe('Ýöür türñ');
    expect(pseudo.translate('Key')).toBe('Kéý');
    expect(pseudo.translate('Not translated yet')).toBe('Not translated yet');
  });
  test('starts with the texts of the lobby and fetches the others later', async () => {
    const page = split();
    await page.start();
    expect([page.translate('Your turn'), page.translate('Key')]).toEqual(['Ýöür türñ', 'Key']);
    await page.complete();
    expect([page.translate('Your turn'), page.translate('Key')]).toEqual(['Ýöür türñ', 'Kéý']);
  });
  test('keeps its first texts where the others cannot be fetched, and asks again', async () => {
    const rest = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValue({ Key: 'Kéý' });
    const page = new Language(file({ 'Your turn': 'Ýöür türñ' }), { '../words/pl.json': rest });
    await page.start();
    await page.complete();
    expect([page.translate('Your turn'), page.translate('Key')]).toEqual(['Ýöür türñ', 'Key']);
    await page.complete();
    expect(page.translate('Key')).toBe('Kéý');
  });
  test('is not mixed with one that was left while its texts were fetched', async () => {
    const page = split();
    await page.start();
    const late = page.complete();
    await page.choose('en');
    await late;
    expect([page.translate('Your turn'), page.translate('Key')]).toEqual(['Your turn', 'Key']);
  });
  test('has as many forms of a word as it counts in', () => {
    const forms = ['punkt', 'punkty', 'punktów', 'punktu'];
    expect([1, 2, 5, 22, 1.5].map((n) => pseudo.form(forms, n))).toEqual(['punkt', 'punkty', 'punktów', 'punkty', 'punktu']);
  });
  test('is chosen by the browser at the first visit', async () => {
    const page = new Language();
    await page.start();
    expect([page.code, page.locale]).toEqual(['de', 'de-AT']);
  });
  test('is English where the browser asks for none that there is', async () => {
    vi.stubGlobal('navigator', { languages: ['tlh'] });
    const page = new Language();
    await page.start();
    expect(page.code).toBe('en');
  });
  test('is English where its file cannot be fetched', async () => {
    const page = new Language({ '../words/de.json': () => Promise.reject(new Error('offline')) });
    await page.start();
    expect([page.code, page.translate('Your turn')]).toEqual(['en', 'Your turn']);
  });
  test('is called by its own name', () => expect(['en', 'de', 'fr'].map(ownName)).toEqual(['English', 'Deutsch', 'Français']));
});
