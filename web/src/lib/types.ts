/** What the hall says and is asked, as types. Made by `make types` from the server's own: edit those. */

export interface AccountShown {
  id: string;
  name: string;
  avatar: string;
  guest: boolean;
  created: number;
}

export interface Advice {
  situation: string;
  best: unknown;
  best_words: string;
  worths: ChoiceWorth[];
  note: string;
}

export interface ApartShown {
  chance: number;
  games: number | null;
}

export interface BarShown {
  why: 'removed' | 'start_failed';
  until: number | null;
}

export interface BotMatch {
  match_id: string;
  players: [string, string];
  current_round: number;
  state: 'Abandoned' | 'MatchComplete' | 'ProcessingCombat' | 'RoundComplete' | 'WaitingForAcceptance' | 'WaitingForCommitments' | 'WaitingForReveals';
  rounds: MatchRound[];
  commitments: MatchCommitment[];
  reveals: MatchReveal[];
  created_at: number;
  timeout_at: number | null;
  leagues: [number | null, number | null];
  units: [MatchUnit[] | null, MatchUnit[] | null];
  score: [number, number];
  total_damage: [number, number];
  winner: string | null;
  reason: string | null;
  ended_at: number | null;
  challenge_event_id: string;
  acceptance_event_id: string | null;
  events: MatchEvent[];
  loot: MatchLoot | null;
  verifications: MatchVerification[];
}

export interface BotMatches {
  matches: MatchSummary[];
  page: number;
  pages: number;
}

export interface BotStatus {
  ok: boolean;
  npub: string;
  relays: RelayStatus[];
  mint: MintStatus;
  matches: Record<string, number>;
  rejected: Record<string, number>;
  loot: LootCounts;
}

export interface ChallengeDay {
  day: string;
  ends_at: number;
  closes_at: number;
  opens_at: number;
  opened: boolean;
}

export interface Chance {
  chance: number;
  stderr: number;
}

export interface ChoiceWorth {
  move: unknown;
  words: string;
  chance: number;
  stderr: number;
}

export interface CoachLine {
  entry: number;
  sentence: string;
}

export interface Coached {
  progress: number;
  game: string;
  note: string;
  exact: boolean;
  against_leader: boolean;
  trust: string;
  explained: Record<string, string>;
  seats: SeatCoached[];
  graph: GraphPoint[];
}

export interface CostlyChoice {
  entry: number;
  round: number | null;
  situation: string;
  dice: DieShown[];
  move: unknown;
  chosen: string;
  chance: Chance;
  best: unknown;
  better: string | null;
  best_chance: Chance | null;
  loss: number;
  stderr: number;
  sentence: string;
  yours: string;
}

export interface CountShown {
  played: number;
  won: number;
}

export interface DailyAttempt {
  table: string;
  phase: 'abandoned' | 'over' | 'playing';
  place: number | null;
  won: boolean;
  score: number | null;
  others: number[];
}

export interface DailyGame {
  game: string;
  bots: number;
  level: string;
  level_name: string;
  attempt: DailyAttempt | null;
}

export interface DailyRankingShown {
  day: string;
  ends_at: number;
  closes_at: number;
  opens_at: number;
  opened: boolean;
  game: string;
  seal: string | null;
  secret: string | null;
  void: boolean;
  who: 'accounts' | 'guests';
  ranking: RankedAttempt[];
  mine: RankedAttempt | null;
  page: number;
}

export interface DailyShown {
  day: string;
  ends_at: number;
  closes_at: number;
  opens_at: number;
  opened: boolean;
  seal: string;
  void: boolean;
  now: number;
  yesterday: string;
  games: DailyGame[];
}

export interface DieShown {
  face: number;
  kept: boolean;
}

export interface EndingShown {
  table: string;
  game: string;
  at: number;
  reason: string;
  rounds: number | null;
  results: ResultShown[];
  rated: boolean;
  continued: boolean;
}

export interface Entered {
  token: string;
  account: AccountShown;
}

export interface EventTold {
  event: string;
  to: number[] | null;
  [field: string]: unknown;
}

export interface FoundShown {
  tables: FoundTable[];
  page: number;
}

export interface FoundTable {
  id: string;
  name: string;
  game: string;
  phase: 'abandoned' | 'asleep' | 'lobby' | 'over' | 'playing';
  locked: boolean;
  opened_at: number;
  opener: string;
  seats: number;
  names: string[];
  my_turn?: boolean;
  challenge?: string;
}

export interface GameShown {
  game: string;
  name: string;
  line: string;
  seats: SeatRange;
  rules: Record<string, RuleShown>;
  bots: string[];
  levels: LevelShown[];
}

export interface GraphPoint {
  entry: number;
  seat: number | null;
  round: number | null;
  sentence: string;
  chances: number[];
}

export interface HintAnswered {
  n: number;
  table: Record<string, unknown>;
  advice: Advice | null;
}

export interface KeyShown {
  kind: 'ed25519' | 'nostr';
  key: string;
}

export interface KeysShown {
  password: boolean;
  keys: KeyShown[];
}

export interface LeaderShown {
  account: string;
  name: string;
  played: number;
  won: number;
  rating?: number;
  error?: number;
}

export interface LeadersShown {
  leaders: LeaderShown[];
  page: number;
  note: string;
}

export interface LevelShown {
  key: string;
  name: string;
}

export interface LootCounts {
  queued: number;
  paid: number;
}

export interface MatchCommitment {
  player: string;
  round: number;
  hash: string;
  event_id: string;
  timestamp: number;
}

export interface MatchEvent {
  name: string;
  event_id: string;
  published: boolean;
  round?: number | null;
}

export interface MatchLoot {
  amount: number;
  state: string;
  event_id: string | null;
}

export interface MatchReveal {
  player: string;
  round: number;
  unit: MatchUnit | null;
  unit_index: number | null;
  token_secret: string | null;
  event_id: string;
}

export interface MatchRound {
  round: number;
  player1_unit: MatchUnit;
  player2_unit: MatchUnit;
  damage_dealt: [number, number];
  winner: string | null;
  event_id: string | null;
}

export interface MatchSummary {
  match_id: string;
  players: [string, string];
  state: 'Abandoned' | 'MatchComplete' | 'ProcessingCombat' | 'RoundComplete' | 'WaitingForAcceptance' | 'WaitingForCommitments' | 'WaitingForReveals';
  current_round: number;
  score: [number, number];
  winner: string | null;
  reason: string | null;
  created_at: number;
  ended_at: number | null;
}

export interface MatchUnit {
  attack: number;
  defense: number;
  health: number;
  max_health: number;
  ability: 'Boost' | 'Heal' | 'None' | 'Shield';
}

export interface MatchVerification {
  player: string;
  valid: boolean;
  reason: string | null;
  event_id: string | null;
}

export interface MeBody {
  name?: string | null;
  avatar?: string | null;
  password?: string | null;
  old_password?: string;
  challenge?: string | null;
  signature?: string | null;
}

export interface MintStatus {
  url: string;
  ok: boolean;
  last_error: string | null;
}

export interface OpenBody {
  game: string;
  name?: string;
  rules?: Record<string, number | null>;
  seats?: number | null;
  visibility?: 'link' | 'public';
  password?: string | null;
  hints?: boolean | null;
  clock?: boolean | null;
  rated?: boolean;
  reactions?: boolean;
  drawn?: boolean | null;
  bots?: OpenBot[];
  webhook?: WebhookWanted | null;
  id?: string | null;
}

export interface OpenBot {
  seat: number;
  level?: string;
}

export interface OriginShown {
  table: string;
  entries: number;
}

export interface Over {
  places: number[][];
  reason: string;
}

export interface PlayerShown {
  account: AccountShown;
  statistics: StatisticsShown;
  history: EndingShown[];
  page: number;
  ratings: Record<string, RatingShown>;
  versus?: Record<string, VersusShown>;
  apart?: Record<string, ApartShown>;
}

export interface RankedAttempt {
  rank: number;
  table: string;
  account: string;
  name: string;
  place: number;
  won: boolean;
  score: number;
  average_loss: number | null;
  decisions: number | null;
}

export interface RatingShown {
  rating: number;
  error: number;
  games: number;
}

export interface RecordShown {
  game: string;
  rules: Record<string, number | null>;
  names: string[];
  updates: ReplayUpdate[];
  refused: string | null;
  check: SealCheck | null;
}

export interface RelayStatus {
  url: string;
  connected: boolean;
  last_error: string | null;
  rejected: number;
}

export interface RematchOffered {
  table: string;
  account: string;
  name: string;
  declined: string[];
}

export interface ReplayShown {
  updates: ReplayUpdate[];
  n: number;
  last: number;
}

export interface ReplayUpdate {
  n: number;
  at: number;
  events: EventTold[];
  rolls?: RollTold[];
  asks_for_words?: boolean;
  table?: string;
  entries: number;
  view?: Record<string, unknown>;
  over?: Over;
}

export interface ResultShown {
  seat: number;
  name: string;
  account: string | null;
  bot: string | null;
  place: number;
  won: boolean;
  score: number;
}

export interface Reviewed {
  n: number;
  judged: number;
  mistake: CostlyChoice | null;
}

export interface RollTold {
  sides: number[];
  faces: number[];
  opened: string | null;
}

export interface RuleShown {
  type: string | string[];
  minimum: number;
  maximum: number;
  default: number | null;
  maximum_with?: Record<string, number>;
}

export interface SealCheck {
  good: boolean;
  rolls: number;
  sentence: string;
  code?: string;
  roll?: number;
}

export interface SeatCoached {
  seat: number;
  name: string;
  bot: boolean;
  start: number;
  result: number;
  luck: number;
  luck_stderr: number;
  adjusted: number;
  lost: number;
  mistakes_cost: number;
  decisions: number;
  contested: number;
  mistakes: number;
  average_loss: number;
  grade: string;
  headline: string;
  turning_points: CoachLine[];
  worst: CoachLine[];
  costliest: CostlyChoice[];
  told: SeatStory;
  yours: SeatStory;
}

export interface SeatRange {
  least: number;
  most: number;
}

export interface SeatRating {
  rating: number;
  error: number;
  games: number;
  seat: number;
  change: number | null;
}

export interface SeatShown {
  seat: number;
  name: string | null;
  account: string | null;
  bot: string | null;
  level: string | null;
  asked_level: string | null;
  presence: 'away' | 'gone' | 'here' | null;
  grace_ends: number | null;
  bot_allowed_at: number | null;
}

export interface SeatStory {
  headline: string;
  luck: string;
  skill: string;
  average_luck: string;
}

export interface StatisticsShown {
  games: Record<string, CountShown>;
  total: CountShown;
  casual: CountShown;
  note: string;
}

export interface TableRatings {
  seats: SeatRating[];
}

export interface TableShown {
  id: string;
  name: string;
  game: string;
  rules: Record<string, number | null>;
  phase: 'abandoned' | 'asleep' | 'lobby' | 'over' | 'playing';
  public: boolean;
  locked: boolean;
  opener: string;
  hints: boolean;
  reactions: boolean;
  drawn: boolean;
  timed: boolean;
  practice: boolean;
  can_abandon: boolean;
  rated: boolean;
  unrated: 'bots' | 'casual' | 'challenge' | 'continued' | 'hints' | 'rules' | 'stand_in' | null;
  before: string | null;
  origin: OriginShown | null;
  continued_in: string[];
  challenge: ChallengeDay | null;
  rematch: RematchOffered | null;
  expected: string[];
  declined: string[];
  seats: SeatShown[];
  seal: string | null;
  asks_for_words: boolean;
  n: number;
  now: number;
  deadline: number | null;
  me: number | null;
  barred: BarShown | null;
  view: Record<string, unknown> | null;
  choices: Record<string, unknown[]>;
  points: Record<string, (number | null)[]>;
  over: Over | null;
}

export interface Update {
  n: number;
  at: number;
  events: EventTold[];
  rolls?: RollTold[];
  asks_for_words?: boolean;
  table?: string;
}

export interface UpdatesShown {
  updates: Update[];
  n: number;
}

export interface VersusShown {
  played: number;
  mine: number;
  theirs: number;
}

export interface WebhookWanted {
  url: string;
  secret?: string | null;
}

export type Phase = TableShown['phase'];
