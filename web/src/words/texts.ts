/** Finds the texts that a source file has translated, for the build and for the tests. */

// A call with a text: not a method of something else, and not the definition itself.
const CALL = /(?<![\w.$])(?:t|pieces|template)\(\s*/g;
// Addresses of files have /*/ in them, and a text may have a note behind two slashes.
const COMMENT = /^\s*\/\*[^]*?\*\/|<!--[^]*?-->|(?<=\s)\/\/ [^'\n]*$/gm;
const LITERAL = /'((?:[^'\\\n]|\\.)*)'/y;

/** The text of each call; '' for a call whose text is not written out there. */
export function textsIn(source: string): string[] {
  const code = source.replace(COMMENT, '');
  return [...code.matchAll(CALL)].map((call) => literalAt(code, call.index + call[0].length));
}

function literalAt(source: string, at: number): string {
  LITERAL.lastIndex = at;
  return LITERAL.exec(source)?.[1]!.replaceAll("\\'", "'") ?? '';
}
