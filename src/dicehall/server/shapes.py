"""The documents that the hall shows, as types: for the OpenAPI document, and for the page, whose types come from here.

What is shown is made as plain data (hall/showing.py and others); tests hold it against these types.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from dicehall.server.bodies import AccountShown, Phase


class SeatShown(Struct, kw_only=True, forbid_unknown_fields=True):
    seat: int
    name: str | None  # None: a free chair
    account: str | None  # None for a bot
    bot: str | None  # the level of the bot that plays here, also of one that stands in
    level: str | None  # the same in words for people
    asked_level: str | None  # the level that was asked for, where these house rules are too much for it
    presence: Literal["here", "away", "gone"] | None
    grace_ends: int | None
    bot_allowed_at: int | None  # when the others can agree to let a bot play for somebody who is away


class Over(Struct, kw_only=True, forbid_unknown_fields=True):
    places: list[list[int]]  # seats, best first; equals share a place
    reason: str


class RematchOffered(Struct, kw_only=True, forbid_unknown_fields=True):
    table: str
    account: str  # who asked for it
    name: str
    declined: list[str]  # the accounts of those who do not want it


class OriginShown(Struct, kw_only=True, forbid_unknown_fields=True):
    table: str
    entries: int  # that had been played there


class BarShown(Struct, kw_only=True, forbid_unknown_fields=True):
    why: Literal["removed", "start_failed"]
    until: int | None  # ms; None: for good


class ChallengeDay(Struct, kw_only=True, forbid_unknown_fields=True):
    day: str  # in UTC
    ends_at: int  # ms: until then an attempt can begin
    closes_at: int  # ms: until then it can be played
    opens_at: int  # ms: from then on everybody can check its dice
    opened: bool


class TableShown(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str
    name: str
    game: str
    rules: dict[str, int | None]
    phase: Phase
    public: bool
    locked: bool
    opener: str
    hints: bool
    reactions: bool  # whether people here can react
    drawn: bool
    timed: bool  # whether turns have a clock
    practice: bool  # whether I play with bots only, and hints are on
    can_abandon: bool  # whether I may end this game
    rated: bool  # whether it counts in statistics and leaderboards
    unrated: Literal["challenge", "continued", "casual", "rules", "bots", "hints", "stand_in"] | None  # why it does not
    before: str | None  # the table of which this is the rematch
    origin: OriginShown | None  # the game that is played on here
    continued_in: list[str]  # tables that play on from this game, which I opened or where I sit
    challenge: ChallengeDay | None  # the day of a daily challenge
    rematch: RematchOffered | None  # of a finished game
    expected: list[str]  # the names of those for whom a chair is kept in a lobby
    declined: list[str]  # the names of those who do not want this rematch
    seats: list[SeatShown]
    seal: str | None  # None only for old records without one
    asks_for_words: bool
    n: int
    now: int
    deadline: int | None
    me: int | None
    barred: BarShown | None  # why you cannot sit down in this lobby
    view: dict[str, Any] | None
    choices: dict[str, list[Any]]  # by seat
    points: dict[str, list[int | None]]  # what each choice is worth, where that can be said
    over: Over | None


class DailyAttempt(Struct, kw_only=True, forbid_unknown_fields=True):
    table: str
    phase: Literal["playing", "over", "abandoned"]
    place: int | None  # from 1, once it is over
    won: bool
    score: int | None
    others: list[int]  # the scores of the bots, best first


class DailyGame(Struct, kw_only=True, forbid_unknown_fields=True):
    game: str
    bots: int  # how many one plays against
    level: str
    level_name: str
    attempt: DailyAttempt | None  # mine


class DailyShown(ChallengeDay, kw_only=True, forbid_unknown_fields=True):
    """Today's challenge."""

    seal: str
    void: bool  # called off, because this server was restored from a backup of today
    now: int
    yesterday: str
    games: list[DailyGame]


class RankedAttempt(Struct, kw_only=True, forbid_unknown_fields=True):
    rank: int  # equals share one
    table: str
    account: str
    name: str
    place: int  # in the game, from 1
    won: bool
    score: int
    average_loss: float | None  # per decision, as a part of a win; None while it is not judged
    decisions: int | None


class DailyRankingShown(ChallengeDay, kw_only=True, forbid_unknown_fields=True):
    game: str
    seal: str | None  # None: nobody asked for that day
    secret: str | None  # from when it is opened
    void: bool
    who: Literal["accounts", "guests"]
    ranking: list[RankedAttempt]
    mine: RankedAttempt | None
    page: int


class EventTold(Struct, kw_only=True):
    """An event, with fields of its own."""

    event: str
    to: list[int] | None


class RollTold(Struct, kw_only=True, forbid_unknown_fields=True):
    sides: list[int]
    faces: list[int]
    opened: str | None


class Update(Struct, kw_only=True, forbid_unknown_fields=True):
    n: int
    at: int
    events: list[EventTold]
    rolls: list[RollTold] | UnsetType = UNSET
    asks_for_words: bool | UnsetType = UNSET
    table: str | UnsetType = UNSET  # over a socket, which may hear of many


class UpdatesShown(Struct, kw_only=True, forbid_unknown_fields=True):
    updates: list[Update]
    n: int


class ReplayUpdate(Update, kw_only=True, forbid_unknown_fields=True):
    """An update with what a spectator saw after it."""

    entries: int  # of the record that belong to it
    view: dict[str, Any] | UnsetType = UNSET  # what changed in the view; all of it in the first update of a page
    over: Over | UnsetType = UNSET


class ReplayShown(Struct, kw_only=True, forbid_unknown_fields=True):
    updates: list[ReplayUpdate]
    n: int  # the number of the last of them; ask for what comes after it
    last: int  # the number of the last update there is


class SealCheck(Struct, kw_only=True, forbid_unknown_fields=True):
    good: bool
    rolls: int
    sentence: str
    code: str | UnsetType = UNSET
    roll: int | UnsetType = UNSET


class RecordShown(Struct, kw_only=True, forbid_unknown_fields=True):
    """The replay of a record that somebody uploaded."""

    game: str
    rules: dict[str, int | None]
    names: list[str]
    updates: list[ReplayUpdate]
    refused: str | None  # why the rules do not accept what follows, where they do not
    check: SealCheck | None  # None where something is refused


class RuleShown(Struct, kw_only=True, forbid_unknown_fields=True):
    """One house rule, in the words of JSON Schema."""

    type: str | list[str]
    minimum: int
    maximum: int
    default: int | None
    maximum_with: dict[str, int] | UnsetType = UNSET  # the maximum while another rule is on


class SeatRange(Struct, kw_only=True, forbid_unknown_fields=True):
    least: int
    most: int


class LevelShown(Struct, kw_only=True, forbid_unknown_fields=True):
    key: str
    name: str


class GameShown(Struct, kw_only=True, forbid_unknown_fields=True):
    game: str
    name: str
    line: str
    seats: SeatRange
    rules: dict[str, RuleShown]
    bots: list[str]  # levels, the weakest first
    levels: list[LevelShown]  # the same with their names


class FoundTable(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str
    name: str
    game: str
    phase: Phase
    locked: bool
    opened_at: int
    opener: str
    seats: int
    names: list[str]
    my_turn: bool | UnsetType = UNSET  # in the list of my own tables
    challenge: str | UnsetType = UNSET  # the day of a daily challenge


class FoundShown(Struct, kw_only=True, forbid_unknown_fields=True):
    tables: list[FoundTable]
    page: int


class LeaderShown(Struct, kw_only=True, forbid_unknown_fields=True):
    account: str  # a bot's level where bots are ranked
    name: str
    played: int
    won: int
    rating: int | UnsetType = UNSET  # where they are ranked by it
    error: int | UnsetType = UNSET  # of the rating: it lies within in 95 of 100 cases


class LeadersShown(Struct, kw_only=True, forbid_unknown_fields=True):
    leaders: list[LeaderShown]
    page: int
    note: str  # which games count


class CountShown(Struct, kw_only=True, forbid_unknown_fields=True):
    played: int
    won: int


class StatisticsShown(Struct, kw_only=True, forbid_unknown_fields=True):
    games: dict[str, CountShown]  # rated ones only, as in the sum
    total: CountShown
    casual: CountShown  # games that do not count
    note: str  # which games count


class RatingShown(Struct, kw_only=True, forbid_unknown_fields=True):
    rating: int
    error: int  # 95 of 100 lie within
    games: int


class ApartShown(Struct, kw_only=True, forbid_unknown_fields=True):
    """How two players compare at a game, by their ratings."""

    chance: float  # mine to win a game of two
    games: int | None  # after which the stronger one leads in 95 of 100 matches; None: more than anybody plays


class SeatRating(RatingShown, kw_only=True, forbid_unknown_fields=True):
    seat: int
    change: int | None  # by this game, once it is over and rated


class TableRatings(Struct, kw_only=True, forbid_unknown_fields=True):
    seats: list[SeatRating]  # those that have a rating


class VersusShown(Struct, kw_only=True, forbid_unknown_fields=True):
    played: int
    mine: int
    theirs: int


class ResultShown(Struct, kw_only=True, forbid_unknown_fields=True):
    seat: int
    name: str
    account: str | None
    bot: str | None
    place: int  # from 1; equals share one
    won: bool
    score: int


class EndingShown(Struct, kw_only=True, forbid_unknown_fields=True):
    table: str
    game: str
    at: int
    reason: str
    rounds: int | None
    results: list[ResultShown]
    rated: bool
    continued: bool  # whether it began in the middle of another game


class PlayerShown(Struct, kw_only=True, forbid_unknown_fields=True):
    account: AccountShown
    statistics: StatisticsShown
    history: list[EndingShown]
    page: int
    ratings: dict[str, RatingShown]  # by game
    versus: dict[str, VersusShown] | UnsetType = UNSET  # what we played together, for others who ask
    apart: dict[str, ApartShown] | UnsetType = UNSET  # by game in which both have a rating, for others who ask


SHOWN: tuple[type[Struct], ...] = (
    TableShown,
    UpdatesShown,
    ReplayShown,
    RecordShown,
    GameShown,
    FoundShown,
    LeadersShown,
    PlayerShown,
    DailyShown,
    DailyRankingShown,
    TableRatings,
)
