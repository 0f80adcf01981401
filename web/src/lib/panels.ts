/** Panels in the browser's history: Back closes the one on top before it leaves the page. */

const open: (() => void)[] = []; // how to close them, the one on top last
let leaving = false; // on the way back from the entries of panels that are closed
let waiting: (() => void)[] = [];

/** How many panels the entry of the history that we are at has over its page. */
export const panelsHere = (): number => (history.state as { panels?: number } | null)?.panels ?? 0;

/** Give a panel that has opened an entry of its own; what is returned takes it out once the panel is closed. */
export function panelOpened(close: () => void): () => void {
  open.push(close);
  if (!leaving) enter();
  return () => {
    const at = open.indexOf(close);
    if (at < 0) return; // Back has closed it
    open.splice(at, 1);
    queueMicrotask(leave); // others may close, open, or lead to another page with it
  };
}

/** Do something to the history once it no longer moves. */
export function whenSettled(then: () => void): void {
  if (leaving) waiting.push(then);
  else then();
}

export function followPanels(): void {
  addEventListener('popstate', () => {
    if (leaving) {
      leaving = false;
      enter();
      const held = waiting;
      waiting = [];
      for (const then of held) then();
    }
    while (open.length > panelsHere()) open.pop()!();
    leave();
  });
  leave(); // the page was loaded again while panels were open
}

function enter(): void {
  for (let n = panelsHere(); n < open.length; n++) history.pushState({ panels: n + 1 }, '');
}

function leave(): void {
  const more = panelsHere() - open.length;
  if (leaving || more <= 0) return;
  leaving = true;
  history.go(-more);
}
