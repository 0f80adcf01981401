"""The scoring machinery by itself: everything follows from the rows."""

from __future__ import annotations

import pickle
from itertools import combinations_with_replacement, permutations, product

import pytest

from dicehall.core.game import Faces
from dicehall.games.farkle import ScoreTable, of_a_kind, three_pairs, without, written

SMALL = ScoreTable.of(written({"1": 100, "5": 50}), of_a_kind({2: (200, 400), 5: (500,)}), three_pairs(1500))
ALL_ROLLS = [roll for size in range(1, 7) for roll in combinations_with_replacement(range(1, 7), size)]


def rows_by_brute_force(faces: Faces) -> int:
    """The best full reading the slow way: every order of the dice, cut everywhere."""

    def cut(rest: Faces) -> int | None:
        if not rest:
            return 0
        firsts = ((SMALL.worth.get(tuple(sorted(rest[:n]))), rest[n:]) for n in range(1, len(rest) + 1))
        totals = [points + more for points, after in firsts if points and (more := cut(after)) is not None]
        return max(totals, default=None)

    return max(cut(order) or 0 for order in set(permutations(faces)))


def test_a_full_reading_is_the_best_way_to_use_every_die() -> None:
    for faces in ALL_ROLLS:
        if len(faces) <= 5:
            assert SMALL.points(faces) == rows_by_brute_force(faces)


@pytest.mark.parametrize("faces", [(1, 1, 2, 2, 5, 5), (2, 2, 2, 2, 5, 5), (1, 2, 2, 2, 5, 5), (2, 2, 2, 5, 5, 5)])
def test_a_full_reading_of_six_dice_weighs_pairs_against_kinds(faces: Faces) -> None:
    assert SMALL.points(faces) == rows_by_brute_force(faces) > 0


def test_the_order_of_the_dice_changes_positions_and_no_points() -> None:
    for roll in permutations((1, 2, 2, 2, 3)):
        scoring = SMALL.scoring[roll]
        assert scoring.points == 300
        assert sorted(roll[at] for at in scoring.positions) == [1, 2, 2, 2]
        assert [roll[at] for at in scoring.rest] == [3]


def test_score_holds_and_locks_of_a_roll_agree() -> None:
    for roll in ALL_ROLLS:
        best = SMALL.scoring[roll].points
        holds, locks = SMALL.holds[roll], SMALL.locks[roll]
        assert best == max((points for _, points in holds), default=0) == max((at[1] for at in locks), default=0)
        assert SMALL.busts(roll) == (not holds) == (not locks) == (best == 0)
        assert all(SMALL.points([roll[at] for at in dice]) == points > 0 for dice, points in holds)
        assert all(sum(SMALL.worth[row] for row in grouping) == points for grouping, points in locks)


def test_locks_are_all_different_and_fit_the_roll() -> None:
    for roll in ALL_ROLLS:
        groupings = [grouping for grouping, _ in SMALL.locks[roll]]
        assert len(set(groupings)) == len(groupings)
        assert all(without(roll, tuple(face for row in rows for face in row)) is not None for rows in groupings)


def test_holds_are_best_first_then_fewer_dice_then_by_position() -> None:
    assert SMALL.holds[(5, 1, 5, 3)] == (
        ((0, 1, 2), 200),
        ((0, 1), 150),
        ((1, 2), 150),
        ((1,), 100),
        ((0, 2), 100),
        ((0,), 50),
        ((2,), 50),
    )


def test_locks_are_best_first_then_fewer_dice_then_by_faces() -> None:
    assert SMALL.locks[(1, 5, 5)] == (
        (((1,), (5,), (5,)), 200),
        (((1,), (5,)), 150),
        (((1,),), 100),
        (((5,), (5,)), 100),
        (((5,),), 50),
    )


def test_three_pairs_may_repeat_a_face() -> None:
    rows = three_pairs(1500)
    assert {(2, 2, 3, 3, 4, 4), (2, 2, 2, 2, 3, 3), (2, 2, 3, 3, 3, 3), (6,) * 6} <= set(rows)
    assert len(rows) == 56
    assert set(rows.values()) == {1500}


def test_what_two_parts_of_a_table_name_is_worth_the_more() -> None:
    assert ScoreTable.of({(1,): 100}, {(1,): 70, (2,): 5}).rows == (((1,), 100), ((2,), 5))


@pytest.mark.parametrize("rows", [(((2, 1), 5),), (((1,), 0),), (((), 5),), (((1,), 5), ((1,), 6))])
def test_a_table_with_senseless_rows_cannot_be_made(rows: tuple[tuple[Faces, int], ...]) -> None:
    with pytest.raises(ValueError, match="score table"):
        ScoreTable(rows)


def test_tables_are_values() -> None:
    same, again = ScoreTable(SMALL.rows), pickle.loads(pickle.dumps(SMALL))
    assert same == again == SMALL
    assert len({same, again, SMALL}) == 1
    assert ScoreTable(SMALL.rows[1:]) != SMALL


@pytest.mark.parametrize(("dice", "chance"), [(1, (2, 3)), (2, (4, 9)), (3, (5, 18)), (4, (17, 108)), (5, (25, 324))])
def test_the_known_chances_to_bust_with_ones_fives_and_triples(dice: int, chance: tuple[int, int]) -> None:
    triples = ScoreTable.of(written({"1": 100, "5": 50}), of_a_kind(dict.fromkeys(range(1, 7), (100,))))
    busts = sum(triples.busts(roll) for roll in product(range(1, 7), repeat=dice))
    assert busts * chance[1] == chance[0] * 6**dice


def test_a_roll_is_worked_out_once() -> None:
    table = ScoreTable(SMALL.rows)
    assert table.scoring[(1, 2)] is table.scoring[(1, 2)]
    assert len(ALL_ROLLS) == 923
