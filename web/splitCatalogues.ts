/**
 * Splits each catalogue of src/words/ in two when the page is built: `de.json?first` has the texts of the modules that are
 * there before the lobby is drawn, `de.json?rest` all others. Translators still write one file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { textsIn } from './src/words/texts';

const PART = /(.*\/src\/words\/[a-z]{2,3}\.json)\?(first|rest)$/;
const STATIC_IMPORT = /^\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm;

export const splitCatalogues = (entry: string): Plugin => ({
  name: 'split-catalogues',
  enforce: 'pre',
  load(id) {
    const [, file, part] = PART.exec(id) ?? [];
    if (!file) return null;
    const first = firstTexts(entry);
    const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
    const own = Object.fromEntries(texts.filter(([text]) => first.has(text) === (part === 'first')));
    return { code: `export default ${JSON.stringify(own)};`, moduleType: 'js' };
  },
});

/** The texts of a module and of all that it imports before it runs. */
export function firstTexts(entry: string): Set<string> {
  const files = new Set([entry]);
  const texts = new Set<string>();
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    textsIn(source).forEach((text) => texts.add(text));
    for (const [, path] of source.matchAll(STATIC_IMPORT)) {
      const found = ['', '.ts'].map((ending) => resolve(dirname(file), path!) + ending).find((name) => /\.(ts|svelte)$/.test(name) && existsSync(name));
      if (found) files.add(found);
    }
  }
  return texts;
}
