/* Lets the page open without a line, so that it can say so itself. Games are never kept: only the page's own files,
   whose names change with what is in them, and its one document, which is always asked for first. */
const CACHE = 'dicehall-page';
const HOME = new URL('./', self.location).href; // also under a path prefix
const SERVERS_OWN = /^(api|ws|docs|openapi\.json|healthz|metrics)(\/|$)/;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(HOME)) return;
  const inner = request.url.slice(HOME.length);
  if (inner.startsWith('assets/')) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && !SERVERS_OWN.test(inner)) event.respondWith(document(request));
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
async function document(request) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && (fresh.headers.get('content-type') ?? '').startsWith('text/html')) await keep(cache, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(HOME);
    if (kept) return kept;
    throw error;
  }
}

/** A newer page makes all files of the one before it needless. */
async function keep(cache, fresh) {
  const [text, kept] = [await fresh.clone().text(), await cache.match(HOME)];
  if (kept && (await kept.text()) === text) return;
  for (const request of await cache.keys()) await cache.delete(request);
  await cache.put(HOME, fresh);
}
