"""Positions and choices in words: a module ``wording_<game>`` beside this one knows how players speak of its game.

Everything is phrased from what one seat sees, so it can be used at a live table, too.
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
from dicehall.lab.texts import Texts, texts
from dicehall.wire.languages import ENGLISH
from dicehall.wire.sentences import fill


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

    def situation(self, view: Any, seat: Seat, names: Sequence[str], language: str) -> str:
        """Where a seat stands when it has to choose, to begin a sentence with: ``Behind 65 to 85``."""
        ...

    def deed(self, view: Any, seat: Seat, action: Any, names: Sequence[str], language: str) -> Deed: ...

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


def situation(game: AnyGame, view: Any, seat: Seat, names: Sequence[str], language: str = ENGLISH) -> str:
    wording = wording_of(game.key)
    return wording.situation(view, seat, names, language) if wording else ""


def deed(game: AnyGame, view: Any, seat: Seat, action: Any, names: Sequence[str], language: str = ENGLISH) -> Deed:
    if wording := wording_of(game.key):
        return wording.deed(view, seat, action, names, language)
    return deed_in(texts("coach", language), "chose", move=move_text(game, view, names, seat, action))


def deed_in(words: Texts, key: str, **fields: Any) -> Deed:
    """A choice by the three templates under its key."""
    return Deed(*(fill(words.templates[key][form], fields) for form in ("past", "doing", "label")))


def dice_of(game: AnyGame, view: Any) -> tuple[ShownDie, ...]:
    wording = wording_of(game.key)
    return wording.dice(view) if wording else ()


def round_of(game: AnyGame, view: Any) -> int | None:
    wording = wording_of(game.key)
    return wording.round_of(view) if wording else None


def standing(scores: Sequence[int], seat: Seat, language: str) -> str:
    """How a seat stands by its points, against the best of the others."""
    mine = scores[seat]
    best = max(score for at, score in enumerate(scores) if at != seat)
    stands = compared(mine, best) + ("" if mine == best or len(scores) == 2 else "_of_many")
    return texts("coach", language).say("standing", stands=stands, mine=mine, best=best)


def compared(mine: int, best: int) -> str:
    return "level" if mine == best else "ahead" if mine > best else "behind"
