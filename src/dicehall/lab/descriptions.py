"""Positions and choices in words: a module ``descriptions_<game>`` beside this one knows how players speak of its game.

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
class ChoiceText:
    """A choice, in the three forms that sentences need."""

    past: str  # "held": Ann held
    doing: str  # "holding": Holding wins 60 %
    label: str  # "Hold": on a button or in a list


@dataclass(frozen=True, slots=True)
class ShownDie:
    face: int
    kept: bool = False  # set aside before the choice


class Descriptions(Protocol):
    """How one game is spoken of."""

    def situation(self, view: Any, seat: Seat, names: Sequence[str], language: str) -> str:
        """Where a seat stands when it has to choose, to begin a sentence with: ``Behind 65 to 85``."""
        ...

    def choice_text(self, view: Any, seat: Seat, action: Any, names: Sequence[str], language: str) -> ChoiceText: ...

    def dice(self, view: Any) -> tuple[ShownDie, ...]:
        """The dice on the table when the choice is made."""
        ...

    def round_of(self, view: Any) -> int | None:
        """The number of the round as the score sheet has it, where the game is played in rounds."""
        ...


@cache
def descriptions_of(key: str) -> Descriptions | None:
    name = f"{__package__}.descriptions_{key}"
    return cast(Descriptions, import_module(name)) if key.isidentifier() and find_spec(name) else None


def situation(game: AnyGame, view: Any, seat: Seat, names: Sequence[str], language: str = ENGLISH) -> str:
    descriptions = descriptions_of(game.key)
    return descriptions.situation(view, seat, names, language) if descriptions else ""


def choice_text(
    game: AnyGame, view: Any, seat: Seat, action: Any, names: Sequence[str], language: str = ENGLISH
) -> ChoiceText:
    if descriptions := descriptions_of(game.key):
        return descriptions.choice_text(view, seat, action, names, language)
    return filled_choice(texts("coach", language), "chose", move=move_text(game, view, names, seat, action))


def filled_choice(words: Texts, key: str, **fields: Any) -> ChoiceText:
    """A choice by the three templates under its key."""
    return ChoiceText(*(fill(words.templates[key][form], fields) for form in ("past", "doing", "label")))


def dice_of(game: AnyGame, view: Any) -> tuple[ShownDie, ...]:
    descriptions = descriptions_of(game.key)
    return descriptions.dice(view) if descriptions else ()


def round_of(game: AnyGame, view: Any) -> int | None:
    descriptions = descriptions_of(game.key)
    return descriptions.round_of(view) if descriptions else None


def standing(scores: Sequence[int], seat: Seat, language: str) -> str:
    """How a seat stands by its points, against the best of the others."""
    mine = scores[seat]
    best = max(score for at, score in enumerate(scores) if at != seat)
    stands = compared(mine, best) + ("" if mine == best or len(scores) == 2 else "_of_many")
    return texts("coach", language).say("standing", stands=stands, mine=mine, best=best)


def compared(mine: int, best: int) -> str:
    return "level" if mine == best else "ahead" if mine > best else "behind"
