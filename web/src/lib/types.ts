/** What the hall says, as types. */
export type Phase = 'lobby' | 'playing' | 'asleep' | 'over' | 'abandoned';
export interface AccountShown { id: string; name: string; avatar: string; guest: boolean; created: number }
export interface Entered { token: string; account: AccountShown }
export interface SeatShown { seat: number; name: string | null; account: string | null; bot: string | null; presence: 'here' | 'away' | 'gone' | null; grace_ends: number | null }
export interface Over { places: number[][]; reason: string }
export interface TableShown {
  id: string; name: string; game: string; rules: Record<string, number | null>; phase: Phase; public: boolean; locked: boolean;
  opener: string; hints: boolean; drawn: boolean; before: string | null; seats: SeatShown[]; seal: string; asks_for_words: boolean;
  n: number; now: number; deadline: number | null; me: number | null; view: Record<string, unknown> | null;
  choices: Record<string, unknown[]>; points: Record<string, (number | null)[]>; over: Over | null;
}
export interface EventTold { event: string; to: number[] | null; [field: string]: unknown }
export interface RollTold { sides: number[]; faces: number[]; opened: string | null }
export interface Update { n: number; at: number; events: EventTold[]; rolls?: RollTold[]; asks_for_words?: boolean; table?: string }
export interface RuleShown { type: string | string[]; minimum: number; maximum: number; default: number | null }
export interface GameShown { game: string; name: string; line: string; seats: { least: number; most: number }; rules: Record<string, RuleShown>; bots: string[] }
export interface FoundTable { id: string; name: string; game: string; phase: Phase; locked: boolean; opened_at: number; opener: string; seats: number; names: string[] }
