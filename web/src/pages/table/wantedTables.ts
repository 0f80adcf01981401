/** Tables where I want to sit without being asked again: one that I opened, or the next one after a game. */
export const wanted = new Set<string>();
