/** JSON that every reader reads alike: no key twice in one object, nothing nested too deeply, and 6.0 is not the whole number 6. */

const STRINGS_AND_SIGNS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;
const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const MOST_LEVELS = 100; // of objects and lists inside each other

/** Throws a SyntaxError. A number that is not written as a whole number of at most 15 digits is read as 0.5. */
export function parseStrictly(text: string): unknown {
  JSON.parse(text); // from here on it is good JSON
  refuseAmbiguity(text);
  return JSON.parse(text.replace(STRINGS_AND_NUMBERS, (token) => (/^"|^-?\d{1,15}$/.test(token) ? token : '0.5')));
}

function refuseAmbiguity(text: string): void {
  const open: (Set<string> | null)[] = []; // the keys of every object that is open, null for a list
  const tokens = text.match(STRINGS_AND_SIGNS) ?? [];
  tokens.forEach((token, at) => {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') readString(token, tokens[at + 1] === ':' ? open.at(-1) : null);
    if (open.length > MOST_LEVELS) throw new SyntaxError('This document is nested too deeply.');
  });
}

function readString(token: string, keys: Set<string> | null | undefined): void {
  const string = JSON.parse(token) as string;
  if (/\p{Surrogate}/u.test(string)) throw new SyntaxError('Half a character is not text.');
  if (keys?.has(string)) throw new SyntaxError('A key appears twice in one object.');
  keys?.add(string);
}
