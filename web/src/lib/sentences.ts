/**
 * Events as sentences, from the templates in each game's words file; the twin of wire/sentences.py. Translations also
 * have `lists`, the words between the last two of a list and for an empty one and the sign between scores, and `terms`,
 * texts that events bring along.
 */

export type Template = string | { by: string; [value: string]: Template };
export interface Told {
  event: string;
  [field: string]: unknown;
}
export type Words = Record<string, unknown>;

const FIELD = /\{([a-z_.A-Z0-9]+)(?::([^}]*))?\}/g;

/** An event as it is told on the wire, as a sentence. */
export function render(words: Words, told: Told, names: readonly string[]): string {
  let template = words[told.event] as Template | undefined;
  while (template !== undefined && typeof template !== 'string') {
    const value: string = plain(lookup(told, template.by));
    template = (Object.hasOwn(template, value) ? template[value] : template['*']) as Template;
  }
  if (template === undefined) throw new Error(`There are no words for ${told.event}.`);
  return template.replace(FIELD, (_, path: string, style?: string) => filled(told, path, style, { names, words }));
}

interface Context {
  names: readonly string[];
  words: Words;
}

function lookup(told: Told, path: string): unknown {
  if (/^\d+$/.test(path)) return Number(path); // a seat that the template itself names
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], told);
}

function filled(told: Told, path: string, style: string | undefined, context: Context): string {
  const value = lookup(told, path);
  if (style === undefined) return term(plain(value), context.words);
  if (style.includes('|')) return style.split('|')[value === 1 ? 0 : 1] ?? '';
  if (style.startsWith('each ')) return each(value as unknown[], style.slice(5), told['seats'] as number[] | undefined, context);
  return STYLES[style]!(value, context);
}

function plain(value: unknown): string {
  return String(value ?? null);
}

const term = (text: string, words: Words): string => (words['terms'] as Record<string, string> | undefined)?.[text] ?? text;

const LISTS = { and: 'and', nobody: 'nobody', to: '-' };
const listWord = (name: keyof typeof LISTS, words: Words): string => (words['lists'] as Partial<typeof LISTS> | undefined)?.[name] ?? LISTS[name];

const nameOf = (seat: number, { names }: Context): string => names[seat] ?? `seat ${seat}`;

/** "Ann has 7 and Bo has 0": a value for each of these seats, or for all. */
const each = (values: unknown[], verb: string, seats: number[] | undefined, context: Context): string =>
  joined(values.map((value, i) => `${nameOf(seats?.[i] ?? i, context)} ${verb} ${plain(value)}`), context);

function joined(told: string[], { words }: Context): string {
  if (told.length < 2) return told[0] ?? listWord('nobody', words);
  return `${told.slice(0, -1).join(', ')} ${listWord('and', words)} ${told.at(-1)}`;
}

const STYLES: Record<string, (value: unknown, context: Context) => string> = {
  name: (seat, context) => (seat === null ? listWord('nobody', context.words) : nameOf(seat as number, context)),
  names: (seats, context) => joined((seats as number[]).map((seat) => nameOf(seat, context)), context),
  dice: (faces) => (faces as unknown[]).map(plain).join(' '),
  cards: (number) => plain((number as number) + 1),
  final: (scores, { words }) => [...(scores as number[])].sort((one, other) => other - one).join(listWord('to', words)),
};
