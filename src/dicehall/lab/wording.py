"""Positions and choices in words: a module ``wording_<game>`` beside this one knows how players speak of its game.

Everything is told from what one seat sees, so that it can be told at a live table, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.spoken import move_text


@dataclass(frozen=True, slots=True)
class Deed:
    """A choice, in the three forms that sentences need."""

    past: str  # "held": Ann held
    doing: str  # "holding": Holding wins 60 %
    label: str  # "Hold": on a button or in a list


@dataclass(frozen=True, slots=True)
class ShownDie:
    face: int
    kept: bool = False  # set aside before the choice


class Wording(Protocol):
    """How one game is spoken of."""

    def situation(self, view: Any, seat: Seat, names: Sequence[str]) -> str:
        """Where a seat stands when it has to choose, to begin a sentence with: ``Behind 65 to 85``."""
        ...

    def deed(self, view: Any, seat: Seat, action: Any, names: Sequence[str]) -> Deed: ...

    def dice(self, view: Any) -> tuple[ShownDie, ...]:
        """The dice on the table when the choice is made."""
        ...

    def round_of(self, view: Any) -> int | None:
        """The number of the round as the score sheet has it, where the game is played in rounds."""
        ...


@cache
def wording_of(key: str) -> Wording | None:
    name = f"{__package__}.wording_{key}"
    return cast(Wording, import_module(name)) if key.isidentifier() and find_spec(name) else None


def situation(game: AnyGame, view: Any, seat: Seat, names: Sequence[str]) -> str:
    wording = wording_of(game.key)
    return wording.situation(view, seat, names) if wording else ""


def deed(game: AnyGame, view: Any, seat: Seat, action: Any, names: Sequence[str]) -> Deed:
    if wording := wording_of(game.key):
        return wording.deed(view, seat, action, names)
    move = move_text(game, view, names, seat, action)
    return Deed(f"chose '{move}'", f"choosing '{move}'", move)


def dice_of(game: AnyGame, view: Any) -> tuple[ShownDie, ...]:
    wording = wording_of(game.key)
    return wording.dice(view) if wording else ()


def round_of(game: AnyGame, view: Any) -> int | None:
    wording = wording_of(game.key)
    return wording.round_of(view) if wording else None


def standing(scores: Sequence[int], seat: Seat) -> str:
    """How a seat stands by its points, against the best of the others."""
    mine = scores[seat]
    best = max(score for at, score in enumerate(scores) if at != seat)
    if mine == best:
        return f"Level at {mine}"
    leader = "" if len(scores) == 2 else "the leader's " if mine < best else "the runner-up's "
    return f"{'Behind' if mine < best else 'Ahead'} {mine} to {leader}{best}"


def count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
