/** The small worker that lets the page open without a line; see public/sw.js. */
import { link } from './router.svelte';

/** Once the page is there and quiet; a browser that wants none goes without. */
export function keepPage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  addEventListener('load', () => void navigator.serviceWorker.register(link('/sw.js')).catch(() => {}));
}
