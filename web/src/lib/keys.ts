/** Keys that play: one letter each, and never while somebody types or uses a key together with Ctrl, Alt or Meta. */

export type Keys = Record<string, () => unknown>;

export const typing = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, dialog[open], [contenteditable]') !== null;

/** Listen until what is answered is called; give it to an effect: `$effect(() => onKeys({ r: roll }))`. */
export function onKeys(keys: Keys): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || typing(event.target)) return;
    const run = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!run) return;
    event.preventDefault();
    run();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}
