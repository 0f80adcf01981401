/** Runes everywhere: one way to say what changes. */
export default { compilerOptions: { runes: true } };
