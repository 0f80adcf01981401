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


class Over(Struct, kw_only=True, forbid_unknown_fields=True):
    places: list[list[int]]  # seats, best first; equals share a place
    reason: str


class RematchOffered(Struct, kw_only=True, forbid_unknown_fields=True):
    table: str
    account: str  # who asked for it
    name: str


class BarShown(Struct, kw_only=True, forbid_unknown_fields=True):
    why: Literal["removed", "start_failed"]
    until: int | None  # ms; None: for good


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
    drawn: bool
    timed: bool  # whether turns have a clock
    practice: bool  # whether I play with bots only, and hints are on
    can_abandon: bool  # whether I may end this game
    rated: bool  # whether it counts in statistics and leaderboards
    unrated: Literal["casual", "rules", "bots", "hints"] | None  # why it does not
    before: str | None  # the table of which this is the rematch
    rematch: RematchOffered | None  # of a finished game
    expected: list[str]  # the names of those for whom a chair is kept in a lobby
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


class FoundShown(Struct, kw_only=True, forbid_unknown_fields=True):
    tables: list[FoundTable]
    page: int


class LeaderShown(Struct, kw_only=True, forbid_unknown_fields=True):
    account: str  # a bot's level where bots are ranked
    name: str
    played: int
    won: int


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


class PlayerShown(Struct, kw_only=True, forbid_unknown_fields=True):
    account: AccountShown
    statistics: StatisticsShown
    history: list[EndingShown]
    page: int
    versus: dict[str, VersusShown] | UnsetType = UNSET  # what we played together, for others who ask


SHOWN: tuple[type[Struct], ...] = (TableShown, UpdatesShown, GameShown, FoundShown, LeadersShown, PlayerShown)
