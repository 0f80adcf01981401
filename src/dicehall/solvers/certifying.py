"""Proving a table: at random pairs of scores one turn of best play must give back what the table says.

A table that does so everywhere is the solution, since there is only one. The turn is valued here in the simplest way
there is, straight from the shape and without the short cuts of the programme that solved it.
"""

from __future__ import annotations

from random import Random

from dicehall.solvers.shape import Shape
from dicehall.solvers.solving import Chances, Progress


def certify(shape: Shape, chances: Chances, pairs: int, seed: int = 0, progress: Progress | None = None) -> float:
    """The largest difference found (the Bellman residual)."""
    size, chance = len(shape.scores), Random(seed)
    residual = 0.0
    for done in range(1, pairs + 1):
        mine, other = chance.randrange(size), chance.randrange(size)
        residual = max(residual, abs(turn_value(shape, chances, mine, other) - chances[mine * size + other]))
        if progress is not None:
            progress(done / pairs)
    return residual


def turn_value(shape: Shape, chances: Chances, mine: int, other: int) -> float:
    """What one turn of best play is worth if the table is right about everything after it."""
    size, width, end = len(shape.scores), shape.width, shape.reach[mine]
    lose = 1.0 - chances[other * size + mine]
    best = [0.0] * (end * width) + [1.0] * ((shape.furthest + 1) * width)  # by points, then kind
    throw = lose
    for points in reversed(range(end)):
        kept = banked(shape, chances, mine, other, points)
        for number in reversed(range(len(shape.kinds))):  # the first throw of a turn is the first kind, so it is last
            throw = thrown(shape, best, points, number, lose)
            best[points * width + number] = max(throw, kept)
        best[points * width + width - 1] = kept
    return throw


def thrown(shape: Shape, best: list[float], points: int, number: int, lose: float) -> float:
    kind, width = shape.kinds[number], shape.width
    ways, value = kind.bust, kind.bust * lose
    for falls, ends in kind.classes:
        ways += falls
        value += falls * max([best[(points + more) * width + after] for more, after in ends])
    return value / ways


def banked(shape: Shape, chances: Chances, mine: int, other: int, points: int) -> float:
    """What banking is worth; below nothing where it is not allowed."""
    total = shape.scores[mine] + points
    if points < shape.least[mine]:
        return -1.0
    return 1.0 if total >= shape.goal else 1.0 - chances[other * len(shape.scores) + shape.scores.index(total)]
