"""A screen of the window, and what all screens may ask of the program around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from dicehall.client.results import GameResult
from dicehall.games import Catalogue
from dicehall.ui.desktop.scene import Intent, Scene
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.game_table import GameTable
from dicehall.ui.tables.home_seats import HomeSetup, SeatPlan
from dicehall.ui.tables.house_rules import Rules

Sound: TypeAlias = Callable[[str], None]


class Screen(Protocol):
    def scene(self, scale: Scale) -> Scene: ...
    def handle(self, intent: Intent) -> Screen | None:
        """Another screen, or None to stay."""
        ...

    def typed(self, text: str) -> None:
        """Letters, while a text field is active; "\\b" takes one away."""

    def advance(self, ms: float) -> Screen | None:
        """Let time pass: another screen, or None to stay."""
        ...

    def close(self) -> None: ...


class StillScreen:
    """A screen on which nothing happens unless somebody does it."""

    __slots__ = ()

    def advance(self, ms: float) -> Screen | None:
        return None

    def close(self) -> None:
        pass


@dataclass(slots=True)
class Program:
    """What the program around the screens does for them."""

    games: Catalogue
    levels: Callable[[str], Sequence[str]]  # of the bots of a game, the weakest first
    open_table: Callable[[str, Sequence[SeatPlan], Rules], GameTable]  # a new local game
    resume: Callable[[], GameTable]  # the last game played here, or Problem
    can_resume: Callable[[], str]  # what the last game was, or nothing where there is none to go on with
    results: Callable[[str | None], list[GameResult]]  # of games that ended here, the latest first
    sound: Sound
    sound_on: bool = False
    speed: str = "normal"  # one of SPEEDS
    setup: HomeSetup | None = None  # of the last game that was started here
    home: Callable[[], Screen] | None = None  # the first screen
