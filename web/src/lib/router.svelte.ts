/** Where we are: a small history router that works under the hall's path prefix. */
import { language } from './language.svelte';
import { followPanels, panelsHere, whenSettled } from './panels';

export type Route =
  | { page: 'lobby' }
  | { page: 'open'; game: string }
  | { page: 'table'; table: string }
  | { page: 'replay'; table: string } // '' for a record that somebody uploads
  | { page: 'me' }
  | { page: 'player'; id: string }
  | { page: 'leaders'; game: string }
  | { page: 'challenge' }
  | { page: 'matches' }
  | { page: 'match'; id: string }
  | { page: 'sealed' }
  | { page: 'signin' }
  | { page: 'settings' }
  | { page: 'offline' }
  | { page: 'lost' };

const PATTERNS: [RegExp, (part: string) => Route][] = [
  [/^\/$/, () => ({ page: 'lobby' })],
  [/^\/play\/([^/]+)$/, (game) => ({ page: 'open', game })],
  [/^\/dice-10-000$/, () => ({ page: 'open', game: 'tenthousand' })],
  [/^\/t\/([^/]+)$/, (table) => ({ page: 'table', table })],
  [/^\/replay(?:\/([^/]+))?$/, (table) => ({ page: 'replay', table })],
  [/^\/me$/, () => ({ page: 'me' })],
  [/^\/players\/([^/]+)$/, (id) => ({ page: 'player', id })],
  [/^\/leaders\/([^/]+)$/, (game) => ({ page: 'leaders', game })],
  [/^\/challenge$/, () => ({ page: 'challenge' })],
  [/^\/mana$/, () => ({ page: 'matches' })],
  [/^\/mana\/([^/]+)$/, (id) => ({ page: 'match', id })],
  [/^\/sealed$/, () => ({ page: 'sealed' })],
  [/^\/sign-in$/, () => ({ page: 'signin' })],
  [/^\/settings$/, () => ({ page: 'settings' })],
  [/^\/offline$/, () => ({ page: 'offline' })],
];

export function routeOf(path: string): Route {
  for (const [pattern, route] of PATTERNS) {
    const found = pattern.exec(path);
    if (found) return route(decoded(found[1] ?? ''));
  }
  return { page: 'lost' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // an address somebody mistyped names nothing we have
  }
}

/** The path prefix without its last slash: '' or '/dice'. The server writes it into the page. */
export const prefix: string =
  typeof document === 'undefined'
    ? ''
    : new URL(
        document.querySelector<HTMLMetaElement>('meta[name=prefix]')?.content ?? '/',
        document.baseURI,
      ).pathname.replace(/\/$/, '');

/** An address within the hall as a browser needs it. */
export const link = (path: string): string => prefix + path;

/** Where this page found the hall; people can reach one by several addresses. */
export const hallAddress = (): string => location.origin + prefix;

/** The hall's own address, which it writes into the page. */
export const publicUrl = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=public-url]')?.content || hallAddress();

/** The address that other people can open; chats preview it in the language of the person who sends it. */
export const shareLink = (path: string): string =>
  publicUrl() + (language.code === 'en' ? path : `${path}${path.includes('?') ? '&' : '?'}language=${language.code}`);

function here(): string {
  const path = location.pathname;
  const inner = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return inner === '' ? '/' : inner.replace(/(.)\/$/, '$1');
}

class Router {
  path = $state('/');
  query = $state(new URLSearchParams());
  route: Route = $derived(routeOf(this.path));

  start(): void {
    this.read();
    addEventListener('popstate', () => this.read());
    followPanels();
    document.addEventListener('click', (event) => this.follow(event));
  }

  go(path: string, replace = false): void {
    whenSettled(() => this.move(path, replace || panelsHere() > 0)); // an open panel ends with its page
  }

  private move(path: string, replace: boolean): void {
    if (replace) history.replaceState(null, '', link(path));
    else history.pushState(null, '', link(path));
    this.read();
    scrollTo(0, 0);
    // Whoever reads with a screen reader hears that the page changed.
    queueMicrotask(() => document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true }));
  }

  private read(): void {
    this.path = here();
    const query = new URLSearchParams(location.search);
    if (query.toString() !== this.query.toString()) this.query = query;
  }

  private follow(event: MouseEvent): void {
    const anchor = (event.target as Element | null)?.closest('a');
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!anchor || !plain || event.defaultPrevented || anchor.target || anchor.hasAttribute('download')) return;
    const url = new URL(anchor.href, location.href);
    const inner = url.pathname.slice(prefix.length) || '/';
    if (url.origin !== location.origin || !url.pathname.startsWith(prefix)) return;
    if (url.hash || routeOf(inner).page === 'lost') return; // the server's own pages, such as /docs
    event.preventDefault();
    this.go(inner + url.search);
  }
}

export const router = new Router();
