/** The position of Dice Wards as the hall shows it. */
export interface View {
  scores: number[];
  round_score: number;
  last_roll: number | null;
  goal: number;
  turn: number[];
}
