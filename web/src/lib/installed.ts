/** The small worker that lets the page open without a line; see public/sw.js. */
import { link } from './router.svelte';

const QUIET_MS = 8000; // after loading; by then nobody waits for anything

/** Once the page is there and quiet; a browser that wants none goes without. */
export function keepPage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') register(); // where the words of a language were waited for
  else addEventListener('load', register);
}

function register(): void {
  void navigator.serviceWorker.register(link('/sw.js')).catch(() => {});
  setTimeout(() => void navigator.serviceWorker.ready.then((worker) => worker.active?.postMessage('keep')), QUIET_MS);
}
