"""Bots that ask a solver what each choice is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from dicehall.bots.levels import Bot
from dicehall.core.game import Seat
from dicehall.solvers.answers import Solver
from dicehall.solvers.finding import find
from dicehall.solvers.race import Unsolvable

GAMES = 256  # whose solvers are remembered


@dataclass(frozen=True, slots=True)
class Best:
    """Chooses what is worth most; while no solver is ready for these house rules, plays as a bot of another level."""

    game: Any
    otherwise: Bot
    lesser: str  # the level of that bot
    level: str = "exact"

    def __call__(self, view: Any, me: Seat, choices: Sequence[Any], chance: Random) -> Any:
        if len(choices) == 1:
            return choices[0]
        solver = ready(self.game, seats_in(view))
        if solver is None:
            return self.otherwise(view, me, choices, chance)
        return max(solver.worths(view, me, choices), key=lambda worth: worth.chance.value).action

    def plays_as(self, seats: int) -> str:
        return self.level if ready(self.game, seats) else self.lesser


@lru_cache(maxsize=GAMES)
def ready(game: Any, seats: int) -> Solver | None:
    """A solver that answers at once; what is made ready later is found by the next process."""
    try:
        return find(game, seats)
    except Unsolvable:
        return None


def seats_in(view: Any) -> int:
    """How many play: every view has something of each seat."""
    return len(view.scores if hasattr(view, "scores") else view.vp)
