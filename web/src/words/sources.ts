/** The texts of the page as its sources have them, for the tests: what is translated, and what was forgotten. */
import { parse } from 'svelte/compiler';
import { textsIn } from './texts';

const SOURCES = import.meta.glob<string>(['../**/*.svelte', '../**/*.ts', '!../**/*.test.ts', '!../words/*'], { query: '?raw', import: 'default', eager: true });

export interface Found {
  text: string;
  file: string;
}

const each = (find: (source: string, file: string) => string[]): Found[] =>
  Object.entries(SOURCES).flatMap(([path, source]) => find(source, path).map((text) => ({ text, file: path.replace('../', '') })));

/** Every text that is translated; a call whose text is not written out there is found as ''. */
export const translated = (): Found[] => each(textsIn);

interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const WORD = /\p{L}{2,}/u;
/** Attributes and properties that people see or hear. */
const SEEN = /^(title|alt|placeholder|label|aria-label|aria-valuetext|aria-roledescription|name|way|caption|said|note|text|empty)$/;
/** What is the same in every language: the name of the house, hex digits, and code. */
const SAME = /^(· )?Dicehall$|^[0-9a-f …]+$|^\{"/;

/** Texts in the templates of components that are not translated: between tags, or in an attribute that is seen. */
export const untranslated = (): Found[] =>
  each((source, file) => (file.endsWith('.svelte') ? rawTexts(parse(source, { modern: true }).fragment as unknown as Node) : [])).filter(({ text }) => !SAME.test(text));

function rawTexts(node: Node): string[] {
  if (node.type === 'Text') return words(node['data']);
  if (node.type === 'Attribute') return SEEN.test(String(node['name'])) ? [node['value']].flat().flatMap(shown) : [];
  if (node.type === 'ExpressionTag') return shown(node);
  if (node.type === 'StyleDirective') return [];
  return inside(node).flatMap(rawTexts);
}

const words = (text: unknown): string[] => (WORD.test(String(text)) ? [String(text).trim()] : []);

/** What an expression shows by itself: strings it answers, but not those that it compares or gives to a function. */
function shown(node: unknown): string[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Text':
      return words(node['data']);
    case 'ExpressionTag':
      return shown(node['expression']);
    case 'Literal':
      return typeof node['value'] === 'string' ? words(node['value']) : [];
    case 'TemplateLiteral':
      return [...(node['quasis'] as Node[]).flatMap((quasi) => words((quasi['value'] as { raw: string }).raw)), ...(node['expressions'] as Node[]).flatMap(shown)];
    case 'ConditionalExpression':
      return [...shown(node['consequent']), ...shown(node['alternate'])];
    case 'LogicalExpression':
      return [...shown(node['left']), ...shown(node['right'])];
    case 'BinaryExpression':
      return node['operator'] === '+' ? [...shown(node['left']), ...shown(node['right'])] : [];
    default:
      return [];
  }
}

function inside(node: Node): Node[] {
  return Object.entries(node).flatMap(([field, value]) => (field === 'parent' ? [] : [value].flat().filter(isNode)));
}
