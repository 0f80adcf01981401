"""Players who follow a rule of thumb in Dice Wards, and what they come to: exactly, from the rules' own shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias

from dicehall.solvers.duel import Duel
from dicehall.solvers.shape import Shape

Holds: TypeAlias = Callable[[int, int, int], bool]  # my score, the other's, points at stake -> hold


def outcomes(shape: Shape, holds: Callable[[int], bool]) -> tuple[float, dict[int, float]]:
    """Of one turn: the chance to lose it, and of each number of points kept."""
    (die,) = shape.kinds
    ways = die.bust + sum(falls for falls, _ in die.classes)
    at, kept, lost = defaultdict(float, {0: 1.0}), dict[int, float](), 0.0
    while at:
        points = min(at)
        chance = at.pop(points)
        if points and holds(points):
            kept[points] = chance
            continue
        lost += chance * die.bust / ways
        for falls, ((more, _),) in die.classes:
            at[points + more] += chance * falls / ways
    return lost, kept


def versus(shape: Shape, one: Holds, two: Holds) -> tuple[float, float]:
    """The chance of the first player if it begins, and of the second if that one does."""
    goal = shape.goal
    x = {(mine, other): 1.0 for mine in range(goal, goal + 100) for other in range(goal)}
    y = dict(x)
    for total in reversed(range(2 * goal - 1)):
        for a in range(max(0, total - goal + 1), min(goal - 1, total) + 1):
            b = total - a
            lost, kept = outcomes(shape, turned(one, a, b))
            other_lost, other_kept = outcomes(shape, turned(two, b, a))
            won = sum(chance * (1.0 if a + p >= goal else 1.0 - y[b, a + p]) for p, chance in kept.items())
            other_won = sum(chance * (1.0 if b + p >= goal else 1.0 - x[a, b + p]) for p, chance in other_kept.items())
            x[a, b] = (won + lost * (1.0 - other_won - other_lost)) / (1.0 - lost * other_lost)
            y[b, a] = other_won + other_lost * (1.0 - x[a, b])
    return x[0, 0], y[0, 0]


def turned(holds: Holds, mine: int, other: int) -> Callable[[int], bool]:
    return lambda points: holds(mine, other, points)


def at_twenty(mine: int, other: int, points: int) -> bool:
    return points >= 20 or mine + points >= 100


def keep_pace(mine: int, other: int, points: int) -> bool:
    """Near the end all or nothing; before it 21, and an eighth of the other's lead, rounded, more."""
    if mine + points >= 100 or mine >= 71 or other >= 71:
        return mine + points >= 100
    return points >= 21 + (other - mine + 4) // 8


def perfect(duel: Duel) -> Holds:
    def holds(mine: int, other: int, points: int) -> bool:
        turn = duel.turn(mine, other)
        return turn.kept(points) == turn.best(points, 0)

    return holds
