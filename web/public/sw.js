/* Lets the page open without a connection, so that it can say so itself and show the games that the browser keeps (those
   lie in IndexedDB, see lib/keptGames.ts). Kept here: the page's own files, whose names change with what is in them, and
   its one document, which is always asked for first. Nothing of the hall's API is ever kept. */
const CACHE = 'dicehall-page';
const HOME = new URL('./', self.location).href; // also under a path prefix
const FILES = new URL('./page-files.json', self.location).href; // the names of all files of the page
const SERVERS_OWN = /^(api|ws|docs|openapi\.json|healthz|metrics)(\/|$)/;
const DOWN = [502, 503, 504]; // what a proxy answers for a hall that is not running

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** The page says when it has nothing better to do. */
self.addEventListener('message', (event) => event.waitUntil(keepAll().catch(() => {}))); // the next visit makes up for it

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(HOME)) return;
  const inner = request.url.slice(HOME.length);
  if (inner.startsWith('assets/')) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && !SERVERS_OWN.test(inner)) event.respondWith(document(event));
});

/** A file that never changes: the kept one, or the hall's. */
async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

/** The document: the hall's whenever it answers; the kept one only while it cannot be reached. */
async function document(event) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(event.request);
    if (DOWN.includes(fresh.status)) return (await cache.match(HOME)) ?? fresh;
    if (isPage(fresh)) event.waitUntil(keep(cache, fresh.clone()).catch(() => {}));
    return fresh;
  } catch (error) {
    const kept = await cache.match(HOME);
    if (kept) return kept;
    throw error;
  }
}

const isPage = (response) => response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');

/** A newer page makes all files of the one before it needless. Documents of one page differ only in their previews. */
async function keep(cache, fresh) {
  const [text, kept] = [await fresh.clone().text(), await cache.match(HOME)];
  if (kept && filesOf(await kept.text()) === filesOf(text)) return;
  for (const request of await cache.keys()) await cache.delete(request);
  await cache.put(HOME, fresh);
}

// Only of tags: the names of tables stand in a document as well, and anybody chooses those.
const filesOf = (text) => (text.match(/ (?:src|href)="[^"]*assets\/[\w.-]+"/g) ?? []).join();

/** The document and every file of the page; a person who saves data has only those that they came across. */
async function keepAll() {
  const cache = await caches.open(CACHE);
  const [fresh, files] = await Promise.all([fetch(HOME, { cache: 'no-cache' }), fetch(FILES, { cache: 'no-cache' })]);
  if (!isPage(fresh) || !files.ok) return;
  await keep(cache, fresh);
  if (navigator.connection?.saveData) return;
  for (const name of await files.json()) await asset(new Request(new URL(name, HOME)));
}
