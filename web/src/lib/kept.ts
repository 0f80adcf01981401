/** What this browser keeps from visit to visit; a browser that keeps nothing is fine, too. */
const KEY = 'dicehall:';

export function kept<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(KEY + name) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(KEY + name);
    else localStorage.setItem(KEY + name, JSON.stringify(value));
  } catch {
    // private windows may forbid it
  }
}
