/** The position as the hall shows it, and the moves it takes. */
export interface View {
  hp: number[];
  vp: number[];
  round: number;
  fallen_rounds: number[];
  last_targets: (number | null)[];
  face: number | null;
  effects: string[];
  targets: number[];
  ranking: number[][];
  last_round: number;
  turn: number[];
}

export interface Choose {
  choose: { effect: string; target?: number | null };
}

export const choicesOf = (choices: readonly unknown[]): Choose['choose'][] =>
  choices.flatMap((move) => (typeof move === 'object' && move && 'choose' in move ? [(move as Choose).choose] : []));
