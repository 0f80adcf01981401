"""A third game of the family is data: Zilch, whose best average per turn is known from the literature.

Busche's 620.855 is what the best play earns per turn in the long run when a third bust in a row costs 500
(without that rule 623.017 can be had). Six dice that show nothing at all score 500, so six dice never bust.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TypeAlias

import pytest

from dicehall.core.game import Faces
from dicehall.games.farkle import ScoreTable, of_a_kind, three_pairs, written

OF_A_KIND = {face: tuple((1000 if face == 1 else 100 * face) * 2**more for more in range(4)) for face in range(1, 7)}
SCORING = ScoreTable.of(written({"1": 100, "5": 50, "123456": 1500}), of_a_kind(OF_A_KIND), three_pairs(1500))
NOTHING = {roll: 500 for roll in combinations_with_replacement(range(1, 7), 6) if SCORING.busts(roll)}
ZILCH = ScoreTable.of(dict(SCORING.rows), NOTHING)
LEAST, PENALTY = 300, -500
ENOUGH = 9000  # points in one turn beyond which only six dice are rolled again

Options: TypeAlias = tuple[tuple[int, int], ...]  # dice left, most points for leaving so many


def options(roll: Faces) -> Options:
    best: dict[int, int] = {}
    for dice, points in ZILCH.holds[roll]:
        left = len(roll) - len(dice) or 6
        best[left] = max(points, best.get(left, 0))
    return tuple(sorted(best.items()))


def chances(dice: int) -> list[tuple[Options, float]]:
    ways: Counter[Options] = Counter()
    for roll in combinations_with_replacement(range(1, 7), dice):
        ways[options(roll)] += factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll))
    return [(found, count / 6**dice) for found, count in ways.items()]


ROLLS = {dice: chances(dice) for dice in range(1, 7)}
SIX_MORE = sum(chance * max(points for _, points in found) for found, chance in ROLLS[6])


def turn(bust: float) -> float:
    """The value of a turn whose bust is worth *bust*: points only grow, so work from the most downwards."""
    beyond = range(ENOUGH, ENOUGH + 8001, 50)
    value = {(points, left): points + SIX_MORE * (left == 6) for points in beyond for left in ROLLS}
    for points in range(ENOUGH - 50, -1, -50):
        for left, rolls in ROLLS.items():
            on = sum(
                chance * max((value[points + more, after] for after, more in found), default=bust)
                for found, chance in rolls
            )
            value[points, left] = max(on, points) if points >= LEAST else on
    return value[0, 6]


def test_nothing_on_six_dice_is_six_rows_of_data() -> None:
    assert sorted(NOTHING) == [
        (2, 2, 3, 3, 4, 6),
        (2, 2, 3, 4, 4, 6),
        (2, 2, 3, 4, 6, 6),
        (2, 3, 3, 4, 4, 6),
        (2, 3, 3, 4, 6, 6),
        (2, 3, 4, 4, 6, 6),
    ]
    assert not any(ZILCH.busts(roll) for roll in combinations_with_replacement(range(1, 7), 6))


def test_the_most_points_per_turn_in_zilch() -> None:
    average = 620.0
    for _ in range(4):  # after two busts in a row, after one, after none; what scores leads back to none
        after_two = turn(PENALTY) - average
        after_one = turn(after_two) - average
        average = (4 * turn(after_one) + average) / 5  # swings out sooner than turn(after_one) alone
    assert average == pytest.approx(620.855, abs=0.001)


def test_a_bust_that_costs_nothing_more_is_worth_two_points_a_turn() -> None:
    assert turn(0.0) == pytest.approx(623.018, abs=0.002)
