"""What somebody asks for who opens a table, checked before anything is stored."""

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

NAME = 60  # characters of a table's name


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
    hints: bool = False
    drawn: bool | None = None  # None: as the game usually has it
    bots: Sequence[WantedBot] = ()
    id: str | None = None


def bad(sentence: str) -> Refused:
    return Refused(Code.BAD_REQUEST, sentence)


def game_of(wanted: Opening, games: Catalogue) -> AnyGame:
    if wanted.game not in games:
        raise bad(f"The games are {', '.join(games)}.")
    try:
        game: Any = with_rules(games[wanted.game], wanted.rules)
        check_hall_rules(game)
        check_seats(game, seats_of(wanted, game))
    except BadRule as wrong:
        raise bad(wrong.sentence) from None
    return game  # type: ignore[no-any-return]  # a catalogue holds classes of Any


def check_rules_of(game: AnyGame) -> None:
    """Refuse a rematch of an older table with house rules that no new table may have."""
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
    return name or f"{opener}'s table"


def bots_of(wanted: Opening, seats: int, levels: Sequence[str], really: Mapping[str, str]) -> tuple[BotSeat, ...]:
    """The bots of a new table: each on a chair of its own, with a chair left for a person."""
    chairs = [bot.seat for bot in wanted.bots]
    if any(not 0 <= chair < seats for chair in chairs) or len(set(chairs)) < len(chairs):
        raise bad(f"Each bot needs a seat of its own, from 0 to {seats - 1}.")
    if len(chairs) >= seats:
        raise bad("A table needs a seat for a person.")
    for bot in wanted.bots:
        if bot.level not in levels:
            raise bad(f"The bots of this game are {', '.join(levels)}.")
    return tuple(bot_seat(bot.seat, bot.level, really[bot.level]) for bot in wanted.bots)


def bot_seat(seat: int, level: str, really: str) -> BotSeat:
    return BotSeat(seat, really, f"Bot {seat + 1} ({said(level, really)})")


def said(level: str, really: str) -> str:
    """The level of a bot, and the one it really plays on where these house rules are too much for its own."""
    return level if level == really else f"{level}, as {really}"
