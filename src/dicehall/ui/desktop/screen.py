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
from dicehall.ui.tables.local_table import SeatPlan

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


@dataclass(slots=True)
class Program:
    """What the program around the screens does for them."""

    games: Catalogue
    levels: Callable[[str], Sequence[str]]  # of the bots of a game, the weakest first
    open_table: Callable[[str, Sequence[SeatPlan]], GameTable]  # a new local game
    results: Callable[[str | None], list[GameResult]]  # of games that ended here, the latest first
    sound: Sound
    sound_on: bool = False
    home: Callable[[], Screen] | None = None  # the first screen
