/** Where the pips of a face lie, on a field of 100 by 100. */
const [A, M, Z] = [26, 50, 74];

export const PIPS: readonly (readonly [number, number][])[] = [
  [],
  [[M, M]],
  [[A, Z], [Z, A]],
  [[A, Z], [M, M], [Z, A]],
  [[A, A], [A, Z], [Z, A], [Z, Z]],
  [[A, A], [A, Z], [M, M], [Z, A], [Z, Z]],
  [[A, A], [A, M], [A, Z], [Z, A], [Z, M], [Z, Z]],
];
