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
  return template.replace(FIELD, (_, path: string, style?: string) => filled(lookup(told, path), style, names));
}

function lookup(told: Told, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], told);
}

function filled(value: unknown, style: string | undefined, names: readonly string[]): string {
  if (style === undefined) return plain(value);
  if (style.includes('|')) return style.split('|')[value === 1 ? 0 : 1] ?? '';
  return STYLES[style]!(value, names);
}

function plain(value: unknown): string {
  return String(value ?? null);
}

function namesOf(seats: number[], names: readonly string[]): string {
  const told = seats.map((seat) => names[seat] ?? `seat ${seat}`);
  if (told.length < 2) return told[0] ?? 'nobody';
  return `${told.slice(0, -1).join(', ')} and ${told.at(-1)}`;
}

const STYLES: Record<string, (value: unknown, names: readonly string[]) => string> = {
  name: (seat, names) => (seat === null ? 'nobody' : (names[seat as number] ?? `seat ${seat as number}`)),
  names: (seats, names) => namesOf(seats as number[], names),
  dice: (faces) => (faces as unknown[]).map(plain).join(' '),
  list: (values) => (values as unknown[]).map(plain).join(', '),
  cards: (values) => [values as number | number[]].flat().map((value) => plain(value + 1)).join(', '),
};
