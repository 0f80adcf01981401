"""What the screens may ask of the program around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.client.results import GameResult
from dicehall.games import Catalogue
from dicehall.lab.coach import Report
from dicehall.ui.tables.game_table import GameTable
from dicehall.ui.tables.home_seats import SeatPlan
from dicehall.ui.tables.server_link import ServerLink
from dicehall.wire.record import Record


@dataclass(frozen=True, slots=True)
class GamePlan:
    """A local game as somebody wants it."""

    game: str
    seats: Sequence[SeatPlan]
    rules: dict[str, int | None] = field(default_factory=dict)
    hints: bool = False  # also where several people play


@dataclass(slots=True)
class Program:
    games: Catalogue
    levels: Callable[[str], Sequence[str]]  # of the bots of a game, the weakest first
    open_table: Callable[[GamePlan], GameTable]  # or Problem
    resume: Callable[[], GameTable]  # the last game played here, or Problem
    can_resume: Callable[[], str]  # what the last game was, or nothing where there is none to go on with
    damaged: Callable[[], str]  # which saved game cannot be read and what to do about it, or nothing
    results: Callable[[str | None], list[GameResult]]  # of games that ended here, the latest first
    report: Callable[[Record, Callable[[float], None]], Report]  # the coach's; takes a while; or Problem
    connect: Callable[[str], ServerLink]  # or Problem
    speed: str = "normal"
    home: Callable[[], Any] | None = None  # the screen that games are left to; None: the program ends
