"""Proving a table: at random pairs of scores one turn of best play must give back what the table says.

A table that does so everywhere is the solution, since there is only one.
"""

from __future__ import annotations

from random import Random

from dicehall.solvers.programme import start
from dicehall.solvers.shape import Shape
from dicehall.solvers.solving import Chances, Progress, space_of


def certify(shape: Shape, chances: Chances, pairs: int, seed: int = 0, progress: Progress | None = None) -> float:
    """The largest difference found (the Bellman residual), in plain Python whatever solved the table."""
    size, space, chance = len(shape.scores), space_of(shape, shape.reach[0]), Random(seed)
    residual = 0.0
    for done in range(1, pairs + 1):
        mine, other = chance.randrange(size), chance.randrange(size)
        lose = 1.0 - chances[other * size + mine]
        value, _ = start(shape.plan, space, chances, mine, other, lose)
        residual = max(residual, abs(value - chances[mine * size + other]))
        if progress is not None:
            progress(done / pairs)
    return residual
