"""What can be locked in Dice 10 000, row by row of the table."""

from __future__ import annotations

import pytest

from dicehall.games.tenthousand.actions import Lock
from dicehall.games.tenthousand.scoring import TABLE
from tests.games.tenthousand.sitting import Sitting

ROWS = {
    "1": 100,
    "11": 200,
    "111": 1000,
    "1111": 2000,
    "11111": 4000,
    "111111": 8000,
    "222": 200,
    "2222": 400,
    "22222": 800,
    "222222": 1600,
    "333": 300,
    "3333": 600,
    "33333": 1200,
    "333333": 2400,
    "444": 400,
    "4444": 800,
    "44444": 1800,
    "444444": 3600,
    "5": 50,
    "55": 100,
    "555": 500,
    "5555": 1000,
    "55555": 2000,
    "555555": 4000,
    "666": 600,
    "6666": 1200,
    "66666": 2400,
    "666666": 4800,
}


@pytest.mark.parametrize(("row", "points"), ROWS.items())
def test_every_row_of_the_table_can_be_locked_for_its_points(row: str, points: int) -> None:
    """T2."""
    subset = tuple(map(int, row))
    other = 2 if row[0] != "2" else 3
    table = Sitting()
    table.roll(*subset, *[other] * (6 - len(subset)))
    table.lock(subset)
    assert table.view.turn_points == points


def test_the_table_has_no_other_rows() -> None:
    """T2: no straight, no three pairs."""
    assert {"".join(map(str, row)): points for row, points in TABLE.rows} == ROWS


@pytest.mark.parametrize(
    ("subsets", "code"),
    [
        ((), "bad_lock"),
        (((),), "does_not_score"),
        (((2,),), "does_not_score"),
        (((1, 5),), "does_not_score"),
        (((2, 2, 2),), "not_in_roll"),
        (((1, 1, 1, 1),), "not_in_roll"),
        (((1,), (1,), (1,), (1,)), "not_in_roll"),
        (((1, 1), (1, 1)), "not_in_roll"),
        (((6, 6, 6), (2,)), "not_in_roll"),  # judged in order
        (((2,), (6, 6, 6)), "does_not_score"),
        (((1,), (2,)), "does_not_score"),
        (((7,),), "does_not_score"),
    ],
)
def test_a_lock_that_is_refused(subsets: tuple[tuple[int, ...], ...], code: str) -> None:
    """T2: the dice show 1 1 1 5 2 3."""
    table = Sitting()
    table.roll(1, 1, 1, 5, 2, 3)
    assert table.refuses(Lock(subsets)) == code


def test_something_that_is_no_lock_is_read_as_a_lock_of_nothing() -> None:
    """T2."""
    assert Lock.unreadable == Lock(())
