"""What is known of Farkle and its kin: their tables are data, the game is Dice 10 000."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dicehall.games.farkle import ScoreTable, of_a_kind, written
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.solvers.compiling import compiled
from dicehall.solvers.programme import turn
from dicehall.solvers.races import RACES
from dicehall.solvers.shape import Explored, Shape, explore
from dicehall.solvers.solving import solve, space_of
from tests.games.farkle.test_zilch import LEAST, PENALTY, ZILCH

TRIPLES = {face: (1000 if face == 1 else 100 * face,) for face in range(1, 7)}
FARKLE = ScoreTable.of(written({"1": 100, "5": 50}), of_a_kind(TRIPLES))
FAR = 20_000  # points in one turn that nobody comes to
SPAN = 2 * FAR  # points are shown to the programme as chances


def explored(game: TenThousand) -> Explored:
    return explore(RACES["tenthousand"](game))


def test_bust_chances_of_one_to_five_dice() -> None:
    farkle = explored(TenThousand(goal=2000, opening=0, table=FARKLE))
    busts = [farkle.shape.kinds[farkle.numbers[dice]].bust for dice in range(1, 6)]
    known = [Fraction(2, 3), Fraction(4, 9), Fraction(5, 18), Fraction(17, 108), Fraction(25, 324)]
    assert [Fraction(ways, 6**dice) for dice, ways in enumerate(busts, start=1)] == known


def earned(shape: Shape, bust: float) -> float:
    """The points of the best turn if a lost one brings so many: the programme with points in place of chances."""
    space = space_of(shape, shape.reach[0])
    for points in range(len(space.rest) // shape.width):
        space.rest[points * shape.width : (points + 1) * shape.width] = [as_chance(points * shape.unit)] * shape.width
    for points in range(shape.reach[0]):
        space.bank[points] = as_chance(points * shape.unit) if points >= shape.least[0] else -1.0
    turn(shape.plan, space, 0, as_chance(bust))
    best: float = space.rest[0]
    return best * SPAN - FAR / 2


def as_chance(points: float) -> float:
    return (points + FAR / 2) / SPAN


def test_the_most_points_per_turn_in_zilch() -> None:
    """Busche: 620.855, where the third bust in a row costs 500."""
    zilch = explored(TenThousand(goal=FAR, opening=LEAST, table=ZILCH)).shape
    average = 620.8
    for _ in range(3):
        after_two = earned(zilch, PENALTY) - average
        after_one = earned(zilch, after_two) - average
        average = (4 * earned(zilch, after_one) + average) / 5
    assert average == pytest.approx(620.855, abs=0.001)


@pytest.mark.proof
def test_the_fairest_head_start_in_farkle_is_200() -> None:
    """Busche and Neller, 2017: ones, fives and triples, 10 000 points, no opening."""
    if compiled() is None:
        pytest.skip("takes a quarter of an hour without the extra fast")
    shape = explored(TenThousand(opening=0, table=FARKLE)).shape
    chances = solve(shape)
    assert chances[0] > 0.5
    fairest = min(range(20), key=lambda other: abs(chances[other] - 0.5))
    assert shape.scores[fairest] * shape.unit == 200
