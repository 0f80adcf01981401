/** Ways out of the page for a text: the phone's share sheet, and the clipboard. */

/** Hand a text to the phone's share sheet, or copy it; says which. Whoever closes the sheet wants neither. */
export async function shareOrCopy(text: string): Promise<'shared' | 'closed' | 'copied' | 'failed'> {
  if (navigator.canShare?.({ text })) {
    const refused = await navigator.share({ text }).then(() => '', (error: Error) => error.name);
    if (refused === '') return 'shared';
    if (refused === 'AbortError') return 'closed';
  }
  return (await copyText(text)) ? 'copied' : 'failed';
}

/** Put a text into the clipboard; says whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  const written = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  return written || copySelected(text);
}

/** Pages without https may not write to the clipboard themselves, but may copy what is selected. */
function copySelected(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.cssText = 'position: fixed; opacity: 0';
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
