"""What differs between games in a window: a board draws the table and turns clicks into moves.

A game's own board is the class ``GameBoard`` of the module ``board_<key>``; any other game gets the plain one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from dicehall.core.game import AnyGame, Over, Seat, Seats
from dicehall.ui.desktop.scene import Die, Intent, Item, Rect
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.playback import Beat
from dicehall.ui.tables.summary import GameSummary, summary_of


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything a board may look at."""

    game: AnyGame
    names: Sequence[str]
    avatars: Sequence[str]
    people: Seats
    view: Any
    turn: Seats
    over: Over | None
    acting: Seat | None  # a person at this window who may act now; nobody while something is still being shown
    choices: tuple[Any, ...]
    beat: Beat | None  # what is being shown
    progress: float  # of the beat, from 0 to 1
    dice: tuple[int, ...]  # that landed last
    now: float  # ms, for what moves by itself
    scale: Scale

    @property
    def summary(self) -> GameSummary:
        return summary_of(type(self.game))

    @property
    def on_turn(self) -> Seat | None:
        return min(self.turn, default=None)

    def event(self, name: str) -> Any:
        """The event being shown, if it has this name and is visible; dice in the air are not."""
        shown = self.beat.narrated if self.beat and not self.beat.dice else None
        return shown.event if shown and shown.event["event"] == name else None


@dataclass(frozen=True, slots=True)
class Question:
    """Asks back before something that cannot be undone."""

    text: str
    yes: str
    intent: Intent


class Board(Protocol):
    def items(self, stage: Stage, area: Rect) -> list[Item]:
        """The table and what can be done at it."""
        ...

    def side(self, stage: Stage, area: Rect) -> list[Item]:
        """The ranking, beside the table."""
        ...

    def keys(self, stage: Stage) -> dict[str, Intent]: ...
    def handle(self, stage: Stage, intent: Intent) -> Any:
        """The move that a click or key makes, a Question to ask first, or None where it only selects something."""
        ...

    def refused(self, stage: Stage, sentence: str) -> str:
        """Why a move was refused, in words for people."""
        ...

    def reset(self) -> None:
        """Forget what was selected: the game has moved on."""


def board_for(game: AnyGame) -> Board:
    name = f"{__package__}.board_{game.key}"
    module = name if game.key.isidentifier() and find_spec(name) else f"{__package__}.plain_board"
    board: Board = import_module(module).GameBoard(game)
    return board


def thrown(rect: Rect, face: int, progress: float, seed: int, intent: Intent | None = None) -> Die:
    """A die on its way: it tumbles, shows any face, and comes to rest on the one that was drawn."""
    if progress >= 1.0:
        return Die(rect=rect, face=face, intent=intent)
    slow = 1.0 - (1.0 - progress) ** 2
    chance = random.Random(f"{seed} {int(slow * 14)}")
    shown = face if progress > 0.93 else chance.randint(1, 6)
    left = 1.0 - slow
    height = abs(math.cos(slow * math.pi * 2.5)) * left * rect.h * 1.1
    aside = left * rect.w * 1.6 * (1 if seed % 2 else -1)
    return Die(rect=rect.moved(aside, -height), face=shown, angle=left * 560 * (1 if seed % 2 else -1), intent=intent)
