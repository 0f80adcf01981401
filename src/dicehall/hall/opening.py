"""A request to open a table, checked before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.core.game import AnyGame, Refused
from dicehall.core.house import BadRule, check_hall_rules, check_seats, with_rules
from dicehall.core.text import is_visible
from dicehall.games import Catalogue
from dicehall.table.acts import BotSeat
from dicehall.table.requests import Code
from dicehall.wire.bot_names import bot_names

NAME = 60  # characters of a table's name
UNNAMED = "{opener}’s table"  # what a table without a name is called
TURN_CLOCKS = ("turn_seconds", "round_seconds", "match_seconds")  # house rules by which somebody asks for a clock


@dataclass(frozen=True, slots=True)
class WantedBot:
    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class Opening:
    game: str
    rules: Mapping[str, int | None] = field(default_factory=dict)
    name: str = ""
    seats: int | None = None  # None: as many as the game allows
    public: bool = True
    password: str | None = None
    hints: bool | None = False  # None: where one person plays with bots only
    clock: bool | None = True  # None: where two people play, or the rules that were chosen name a time
    rated: bool = True
    reactions: bool = True
    drawn: bool | None = None  # None: as the game usually has it
    bots: Sequence[WantedBot] = ()
    webhook: tuple[str, str] | None = None  # where the result is sent, and the secret that signs it
    id: str | None = None
    unnamed: str = UNNAMED


def bad(sentence: str) -> Refused:
    return Refused(Code.BAD_REQUEST, sentence)


def game_of(wanted: Opening, games: Catalogue) -> AnyGame:
    if wanted.game not in games:
        raise bad(f"Unknown game. The games are {', '.join(games)}.")
    try:
        game: Any = with_rules(games[wanted.game], wanted.rules)
        check_hall_rules(game)
        check_seats(game, seats_of(wanted, game))
    except BadRule as wrong:
        raise bad(wrong.sentence) from None
    return game  # type: ignore[no-any-return]  # a catalogue holds classes of Any


def check_rules_of(game: AnyGame) -> None:
    """Refuse a rematch of an older table with house rules that are no longer allowed."""
    try:
        check_hall_rules(game)
    except BadRule as wrong:
        raise bad(wrong.sentence) from None


def seats_of(wanted: Opening, game: AnyGame) -> int:
    return game.seats[-1] if wanted.seats is None else wanted.seats


def name_of(wanted: Opening, opener: str) -> str:
    name = " ".join(wanted.name.split())
    if len(name) > NAME:
        raise bad(f"A table name can have at most {NAME} characters.")
    if not is_visible(name):
        raise bad("A table name cannot contain control characters or invisible characters.")
    return name or wanted.unnamed.replace("{opener}", opener)


def wants_hints(wanted: Opening, seats: int) -> bool:
    return len(wanted.bots) == seats - 1 if wanted.hints is None else wanted.hints


def wants_clock(wanted: Opening) -> bool:
    """Whether a turn clock runs even if one person plays against bots only."""
    timed = any(name in TURN_CLOCKS and value is not None for name, value in wanted.rules.items())
    return timed if wanted.clock is None else wanted.clock


def check_bots(wanted: Opening, seats: int, levels: Sequence[str]) -> None:
    """Each bot needs a chair of its own, and a chair must be left for a person."""
    chairs = [bot.seat for bot in wanted.bots]
    if any(not 0 <= chair < seats for chair in chairs) or len(set(chairs)) < len(chairs):
        raise bad(f"Each bot needs a seat of its own, from 0 to {seats - 1}.")
    if len(chairs) >= seats:
        raise bad("A table needs a seat for a person.")
    for bot in wanted.bots:
        if bot.level not in levels:
            raise bad(f"Unknown bot level. Choose one of {', '.join(levels)}.")


def bots_of(wanted: Opening, table: str, opener: str, really: Mapping[str, str]) -> tuple[BotSeat, ...]:
    """The bots of a new table with their names; *really* has the level on which each asked level plays."""
    named = zip(wanted.bots, bot_names(table, (opener,)), strict=False)
    return tuple(BotSeat(bot.seat, really[bot.level], name, asked(bot.level, really[bot.level])) for bot, name in named)


def asked(level: str, really: str) -> str | None:
    """The level that was asked for, if the house rules are too much for it."""
    return None if level == really else level
