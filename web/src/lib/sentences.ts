/** Events as sentences, from the templates in each game's words file; the twin of wire/sentences.py. */

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
  return template.replace(FIELD, (_, path: string, style?: string) => filled(told, path, style, names));
}

function lookup(told: Told, path: string): unknown {
  if (/^\d+$/.test(path)) return Number(path); // a seat that the template itself names
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], told);
}

function filled(told: Told, path: string, style: string | undefined, names: readonly string[]): string {
  const value = lookup(told, path);
  if (style === undefined) return plain(value);
  if (style.includes('|')) return style.split('|')[value === 1 ? 0 : 1] ?? '';
  if (style.startsWith('each ')) return each(value as unknown[], style.slice(5), told['seats'] as number[] | undefined, names);
  return STYLES[style]!(value, names);
}

function plain(value: unknown): string {
  return String(value ?? null);
}

const nameOf = (seat: number, names: readonly string[]): string => names[seat] ?? `seat ${seat}`;

/** "Ann has 7 and Bo has 0": a value for each of these seats, or for all. */
const each = (values: unknown[], verb: string, seats: number[] | undefined, names: readonly string[]): string =>
  joined(values.map((value, i) => `${nameOf(seats?.[i] ?? i, names)} ${verb} ${plain(value)}`));

function joined(told: string[]): string {
  if (told.length < 2) return told[0] ?? 'nobody';
  return `${told.slice(0, -1).join(', ')} and ${told.at(-1)}`;
}

const STYLES: Record<string, (value: unknown, names: readonly string[]) => string> = {
  name: (seat, names) => (seat === null ? 'nobody' : nameOf(seat as number, names)),
  names: (seats, names) => joined((seats as number[]).map((seat) => nameOf(seat, names))),
  dice: (faces) => (faces as unknown[]).map(plain).join(' '),
  cards: (number) => plain((number as number) + 1),
  final: (scores) => [...(scores as number[])].sort((one, other) => other - one).join('-'),
};
