"""What dice are worth in Aetharn."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from dicehall.core.game import Faces
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.aetharn.scoring import TABLE, ScoringType, result_of

ROWS = {
    "1": 100,
    "5": 50,
    "111": 1000,
    "222": 200,
    "333": 300,
    "444": 400,
    "555": 500,
    "666": 600,
    "1111": 2000,
    "2222": 400,
    "3333": 600,
    "4444": 800,
    "5555": 1000,
    "6666": 1200,
    "11111": 4000,
    "22222": 800,
    "33333": 1200,
    "44444": 1600,
    "55555": 2000,
    "66666": 2400,
    "111111": 8000,
    "222222": 1600,
    "333333": 2400,
    "444444": 3200,
    "555555": 4000,
    "666666": 4800,
    "123456": 1500,
}


def faces_of(text: str) -> Faces:
    return tuple(int(face) for face in text if face != " ")


@pytest.mark.parametrize(("faces", "points"), ROWS.items())
def test_every_row_is_worth_what_the_table_says(faces: str, points: int) -> None:
    """A2."""
    assert TABLE.worth[faces_of(faces)] == TABLE.points(faces_of(faces)) == points


def test_three_pairs_of_any_faces_are_worth_1500() -> None:
    """A2, A3: also where two of the pairs are four of a kind; six of a kind is worth more as such."""
    pairs = [tuple(sorted(three * 2)) for three in combinations_with_replacement(range(1, 7), 3)]
    assert {TABLE.worth[row] for row in pairs if len(set(row)) > 1} == {1500}
    assert sorted(TABLE.worth) == sorted({*map(faces_of, ROWS), *pairs})


@pytest.mark.parametrize(
    ("roll", "points", "scoring", "kind"),
    [
        ("1111 55", 2100, (0, 1, 2, 3, 4, 5), "FourOfAKind"),
        ("2222 33", 1500, (0, 1, 2, 3, 4, 5), "ThreePairs"),
        ("111111", 8000, (0, 1, 2, 3, 4, 5), "SixOfAKind"),
        ("222222", 1600, (0, 1, 2, 3, 4, 5), "SixOfAKind"),
        ("222 333", 500, (0, 1, 2, 3, 4, 5), "ThreeOfAKind"),
        ("1111 22", 2000, (0, 1, 2, 3), "FourOfAKind"),
        ("5555 11", 1500, (0, 1, 2, 3, 4, 5), "ThreePairs"),
        ("6666 11", 1500, (0, 1, 2, 3, 4, 5), "ThreePairs"),
        ("66666 1", 2500, (0, 1, 2, 3, 4, 5), "FiveOfAKind"),
        ("66666 2", 2400, (0, 1, 2, 3, 4), "FiveOfAKind"),
        ("111 555", 1500, (0, 1, 2, 3, 4, 5), "ThreeOfAKind"),
        ("654321", 1500, (0, 1, 2, 3, 4, 5), "Straight"),
        ("112233", 1500, (0, 1, 2, 3, 4, 5), "ThreePairs"),
        ("153332", 450, (0, 1, 2, 3, 4), "ThreeOfAKind"),
        ("215", 150, (1, 2), "Singles"),
        ("55", 100, (0, 1), "Singles"),
        ("2", 0, (), "None"),
        ("223344", 1500, (0, 1, 2, 3, 4, 5), "ThreePairs"),
        ("22334", 0, (), "None"),
        ("223346", 0, (), "None"),
    ],
)
def test_a_roll_is_worth_its_highest_reading(roll: str, points: int, scoring: tuple[int, ...], kind: str) -> None:
    """A3."""
    result = result_of(TABLE, faces_of(roll))
    rest = tuple(at for at in range(len(faces_of(roll))) if at not in scoring)
    assert (result.points, result.scoring_dice, result.non_scoring_dice, result.type) == (points, scoring, rest, kind)
    assert result.is_bust == (points == 0)
    assert result.is_hot_dice == (not rest)


def test_every_type_has_the_name_the_seed_gives_it() -> None:
    """A3."""
    kinds = "None Singles ThreeOfAKind FourOfAKind FiveOfAKind SixOfAKind Straight ThreePairs"
    assert [kind.value for kind in ScoringType] == kinds.split()


@pytest.mark.parametrize(
    ("held", "points"),
    [("1111 22", 1500), ("1111", 2000), ("12", 0), ("22", 0), ("1111 2", 0), ("11", 200), ("1155", 300), ("2221", 300)],
)
def test_dice_held_together_all_have_to_score(held: str, points: int) -> None:
    """A4."""
    assert TABLE.points(faces_of(held)) == points


def test_readings_list_every_set_that_can_be_held() -> None:
    """A4: best first, then fewer dice, then by position."""
    assert Aetharn().readings((1, 2, 5)) == (((0, 2), 150), ((0,), 100), ((2,), 50))
    assert Aetharn().readings((1, 1, 1, 1, 2, 2))[:2] == (((0, 1, 2, 3), 2000), ((0, 1, 2, 3, 4, 5), 1500))
    assert Aetharn().readings((2, 3, 4, 6)) == ()
