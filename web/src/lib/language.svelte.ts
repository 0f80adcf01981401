/**
 * The page in the language of its reader. The English sentence is the key: `t('Your turn')`, with fields
 * `t('{name} leads by {n} {n:point|points}', { name, n })`. Other languages are files: words/<language>.json.
 * Two uses of one English word that other languages tell apart have a note behind two slashes: `t('Play // verb')`.
 */
import { keep, kept } from './kept';

export type Fields = Readonly<Record<string, string | number>>;
type Catalogue = Readonly<Record<string, string>>;

type Files = Readonly<Record<string, () => Promise<Catalogue>>>;

// The build splits each file in two: the texts of the lobby, and those of all other pages (splitCatalogues.ts).
const FIRST: Files = import.meta.glob<Catalogue>('../words/*.json', { query: '?first', import: 'default' });
const REST: Files = import.meta.glob<Catalogue>('../words/*.json', { query: '?rest', import: 'default' });
const FIELD = /\{([a-zA-Z]+)(?::([^}|]*(?:\|[^}|]*)+))?\}/g;
const NOTE = / \/\/ .*$/;
const MARK = /\[([^\]]*)\]/;
const COUNTED = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

const pathOf = (code: string): string => `../words/${code}.json`;

/** What a language calls itself: "Deutsch". */
export function ownName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

export class Language {
  code = $state('en');
  private catalogue = $state.raw<Catalogue>({});
  private isWhole = false;

  constructor(
    private readonly first: Files = FIRST,
    private readonly rest: Files = REST,
  ) {}

  /** Every language there is, by its code: English, and one for each file. */
  get codes(): string[] {
    return ['en', ...Object.keys(this.first).map((path) => path.slice('../words/'.length, -'.json'.length))];
  }

  /** The language chosen before, or the first of the browser's that there is, or English. */
  async start(): Promise<void> {
    const wanted = [kept<string>('language') ?? '', ...navigator.languages.map((tag) => tag.split('-')[0]!)];
    const found = wanted.find((code) => this.codes.includes(code)) ?? 'en';
    await this.load(found, this.first).catch(() => {}); // English will do where its file cannot be fetched
  }

  /** Fetch the texts of all other pages, too; they are English if that fails. */
  async complete(): Promise<void> {
    const { code } = this;
    const file = this.rest[pathOf(code)];
    if (this.isWhole || !file) return;
    const texts = await file().catch(() => null);
    if (texts === null || this.isWhole || this.code !== code) return;
    this.catalogue = { ...this.catalogue, ...texts };
    this.isWhole = true;
  }

  async choose(code: string): Promise<void> {
    await this.load(code, this.first, this.rest);
    this.isWhole = true;
    keep('language', code);
  }

  /** For numbers and dates: the reader's own variety of the language, such as en-GB. */
  get locale(): string {
    return navigator.languages.find((tag) => tag.split('-')[0] === this.code) ?? this.code;
  }

  translate(text: string): string {
    return (this.catalogue[text] ?? text).replace(NOTE, '');
  }

  /** Which of the forms of a word goes with a number; they come in the order one, two, few, many, other. */
  form(forms: readonly string[], count: number): string {
    const rules = new Intl.PluralRules(this.code);
    const { pluralCategories } = rules.resolvedOptions();
    const known = COUNTED.filter((category) => pluralCategories.includes(category));
    return forms[Math.min(known.indexOf(rules.select(count)), forms.length - 1)]!;
  }

  private async load(code: string, ...parts: Files[]): Promise<void> {
    const found = await Promise.all(parts.map((files) => files[pathOf(code)]?.()));
    this.catalogue = Object.assign({}, ...found) as Catalogue;
    this.code = code;
    document.documentElement.lang = code;
  }
}

export const language = new Language();

/** A sentence in the reader's language, with its fields filled in. */
export const t = (text: string, fields: Fields = {}): string => filled(language.translate(text), fields);

/** A sentence of which some is shown in another way: `[Sign up] to keep your games` in turn outside and inside the brackets. */
export const pieces = (text: string, fields: Fields = {}): string[] =>
  language.translate(text).split(MARK).map((piece) => filled(piece, fields));

/** A name in the middle of a line: in small letters, but for languages that write nouns with a capital. */
export const uncapitalized = (text: string): string => (language.code === 'de' ? text : text.toLocaleLowerCase(language.code));

/** A sentence whose fields somebody else fills in. */
export const template = (text: string): string => language.translate(text);

const filled = (text: string, fields: Fields): string =>
  text.replace(FIELD, (_, name: string, forms?: string) =>
    forms === undefined ? String(fields[name]) : language.form(forms.split('|'), Number(fields[name])),
  );
