"""A solver that is ready, or can be in a moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from dicehall.core.game import AnyGame
from dicehall.solvers.answers import Solver
from dicehall.solvers.finding import find
from dicehall.solvers.race import Unsolvable

REMEMBERED = 64  # games with their house rules

Progress = Callable[[float], None]


class TooLong(Exception):
    """Solving would take longer than anybody wants to wait."""


def solver_soon(game: AnyGame, seats: int, seconds: float, now: Callable[[], float]) -> Solver | None:
    """What is ready; else solved, if that takes no longer than this."""
    begun = now()

    def hurry(done: float) -> None:
        if done < 1 and now() - begun > seconds * max(done, 0.1):  # at this pace it will take too long
            raise TooLong

    try:
        return find(game, seats) or find(game, seats, solve=True, progress=hurry)
    except TooLong:
        return None


@lru_cache(REMEMBERED)
def solver_ready(game: AnyGame, seats: int) -> Solver | None:
    """What answers at once; what is solved later is found by the next process."""
    try:
        return find(game, seats)
    except Unsolvable:
        return None
