// Check many records in one process: node check_batch.mjs CHECKER < lines of JSON strings, each a record's text.
// CHECKER is `script` (examples/check_dice.mjs) or `page` (web/src/lib/record.ts). One verdict a line: 0, 4 or 2.
import { registerHooks } from "node:module";
import { readFileSync } from "node:fs";

const [, , checker] = process.argv;
const root = new URL("../../", import.meta.url);
const LANGUAGE = "data:text/javascript,export const t = (text) => text"; // the page's own is made by its compiler
registerHooks({
  resolve: (name, context, next) => {
    if (name === "./language.svelte") return { url: LANGUAGE, shortCircuit: true };
    return next(/^\.\/\w+$/.test(name) ? `${name}.ts` : name, context); // as the page's bundler does
  },
});

async function script() {
  const { check } = await import(new URL("examples/check_dice.mjs", root));
  return (text) => (check(Buffer.from(text, "utf8")).fault === undefined ? 0 : 4);
}

async function page() {
  const { checkRecord, readRecord } = await import(new URL("web/src/lib/record.ts", root));
  return (text) => (checkRecord(readRecord(text)).why === "" ? 0 : 4);
}

const verdictOf = await { script, page }[checker]();
const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
const verdicts = lines.map((line) => {
  try {
    return verdictOf(JSON.parse(line));
  } catch (error) {
    if (error.constructor.name === "Unsealed") return 4;
    if (!["Unreadable", "SyntaxError"].includes(error.constructor.name)) throw error;
    return 2;
  }
});
console.log(verdicts.join("\n"));
