"""What the choices of one turn cost: the coach's word after it, in a game for practice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import Seat
from dicehall.lab.decisions import judged
from dicehall.lab.solved import solver_ready
from dicehall.lab.story import CostlyChoice, choice_of
from dicehall.solvers.answers import Estimate
from dicehall.wire.languages import ENGLISH

LEAST = 0.02  # of a game: what cost less is a close call, and nobody is told of a mistake


@dataclass(frozen=True, slots=True)
class Made:
    """A choice: what the seat saw, what it could do, and what it did."""

    view: Any
    choices: tuple[Any, ...]
    action: Any


@dataclass(frozen=True, slots=True)
class Review:
    judged: int  # choices that were judged; 0 where these house rules are not solved
    mistake: CostlyChoice | None  # the costliest


def review(game: Any, names: Sequence[str], seat: Seat, made: Sequence[Made], language: str = ENGLISH) -> Review:
    solver = solver_ready(game, len(names))
    if solver is None:
        return Review(0, None)
    found = []
    for number, one in enumerate(made):
        worths = solver.worths(one.view, seat, one.choices) if len(one.choices) > 1 else ()
        if worths:
            decision = judged(game, one.action, worths, Estimate(0.0))
            found.append((decision, choice_of(game, names, seat, one.view, decision, number, language)))
    costly = [choice for decision, choice in found if decision.clear and choice.loss >= LEAST]
    return Review(len(found), max(costly, key=lambda choice: choice.loss, default=None))
