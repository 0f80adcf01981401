"""A solver that is ready, or can be in a moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from dicehall.core.game import AnyGame
from dicehall.solvers.answers import Solver
from dicehall.solvers.finding import find
from dicehall.solvers.race import Unsolvable

REMEMBERED = 64  # games with their house rules
SCORES = 1000  # more of them below the goal are not even tried
TINY = 100  # scores; solved while somebody waits at a live table
SCORES_BY_TABLE = 60  # where dice score by a table, which makes every turn a hundred times longer

Progress = Callable[[float], None]


class TooLong(Exception):
    """Solving would take longer than anybody wants to wait."""


def solver_soon(
    game: AnyGame, seats: int, seconds: float, now: Callable[[], float], folder: Path | None = None
) -> Solver | None:
    """What is ready; else solved, if the rules are small and it goes on at such a pace, and kept in this folder."""
    if (found := find(game, seats)) is not None or not small(game):
        return found
    first: list[tuple[float, float]] = []

    def hurry(done: float) -> None:
        first.append((now(), done))
        began, had = first[0]
        if now() - began > seconds * (done - had) and len(first) > 1:
            raise TooLong

    try:
        return find(game, seats, folder=folder, solve=True, progress=hurry)
    except TooLong:
        return None


def tiny(game: AnyGame) -> bool:
    """Whether solving is a matter of tenths of a second."""
    return hasattr(game, "goal") and not hasattr(game, "table") and game.goal <= TINY


def small(game: AnyGame) -> bool:
    goal, table = getattr(game, "goal", 0), getattr(game, "table", None)
    return bool(goal <= SCORES) if table is None else bool(goal // table.unit <= SCORES_BY_TABLE)


@lru_cache(REMEMBERED)
def solver_ready(game: Any, seats: int) -> Solver | None:
    """What answers at once, or after a moment's work; what is solved later is found by the next process."""
    try:
        return find(game, seats, solve=tiny(game))
    except Unsolvable:
        return None
