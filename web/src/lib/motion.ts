/** What moves on this page: whether people want it to, and when the dice have come to rest. */
const LONGEST_MS = 2500; // a page that is drawn slowly must not keep a roll to itself

export const movesLess = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;

const isHidden = (): boolean => document.visibilityState === 'hidden';
const nextFrame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
const after = (ms: number): Promise<unknown> => new Promise((done) => setTimeout(done, ms));

/** Dice that tumble and cards that are turned over. */
const TELLING = /tumble|flip/;
const running = (): Animation[] =>
  document.getAnimations().filter((one) => one instanceof CSSAnimation && TELLING.test(one.animationName));

/** Until everything that was thrown or turned over has come to rest; at once where nothing moves or nobody looks. */
export async function atRest(): Promise<void> {
  if (movesLess() || isHidden()) return;
  await Promise.race([resting(), hidden(), after(LONGEST_MS)]);
}

async function resting(): Promise<void> {
  await nextFrame(); // the new faces are in the page from then on
  await Promise.all(running().map((one) => one.finished.catch(() => null)));
}

const hidden = (): Promise<unknown> =>
  new Promise((done) => document.addEventListener('visibilitychange', done, { once: true }));
