/** Apostrophes as the page's own texts have them: what comes from the games' words and from the hall is written with straight ones. */
export const curly = (text: string): string => text.replace(/(?<=[\p{L}}])'(?=\p{L})/gu, '\u2019');
