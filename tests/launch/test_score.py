"""``dicehall score``: every scoring reading of a roll, best first."""

from __future__ import annotations

from itertools import product

import pytest

from tests.launch.running import run


def test_aetharn_lists_every_set_of_positions_that_can_be_held() -> None:
    ran = run("score", "aetharn", "1", "1", "2", "5")
    assert ran.code == 0
    assert ran.lines == [
        [
            {"dice": [0, 1, 3], "points": 250},
            {"dice": [0, 1], "points": 200},
            {"dice": [0, 3], "points": 150},
            {"dice": [1, 3], "points": 150},
            {"dice": [0], "points": 100},
            {"dice": [1], "points": 100},
            {"dice": [3], "points": 50},
        ]
    ]


def test_tenthousand_lists_every_grouping() -> None:
    ran = run("score", "tenthousand", "1", "1", "1", "3", "4", "6")
    assert ran.last == [
        {"dice": [[1, 1, 1]], "points": 1000},
        {"dice": [[1], [1], [1]], "points": 300},
        {"dice": [[1], [1, 1]], "points": 300},
        {"dice": [[1], [1]], "points": 200},
        {"dice": [[1, 1]], "points": 200},
        {"dice": [[1]], "points": 100},
    ]


@pytest.mark.parametrize("game", ["aetharn", "tenthousand"])
def test_a_bust_is_an_empty_list(game: str) -> None:
    ran = run("score", game, "2", "3", "4", "6", "2", "3")
    assert (ran.code, ran.out) == (0, "[]\n")


@pytest.mark.parametrize("game", ["aetharn", "tenthousand"])
def test_the_best_comes_first(game: str) -> None:
    for faces in product("135", repeat=4):
        points = [reading["points"] for reading in run("score", game, *faces).last]
        assert points == sorted(points, reverse=True)


def test_faces_may_be_typed_in_any_way() -> None:
    assert (
        run("score", "aetharn", "1,5", "2")
        == run("score", "aetharn", "1 5 2")
        == run("score", "aetharn", "1", "5", "2")
    )


@pytest.mark.parametrize(
    ("faces", "sentence"),
    [
        (["0"], "A die shows 1 to 6, not '0'."),
        (["7"], "A die shows 1 to 6, not '7'."),
        (["1", "x"], "A die shows 1 to 6, not 'x'."),
        (["1.0"], "A die shows 1 to 6, not '1.0'."),
        (["١"], "A die shows 1 to 6, not '١'."),
        ([" "], "A roll has 1 to 6 dice."),
        (["1"] * 7, "A roll has 1 to 6 dice."),
    ],
)
def test_wrong_faces_are_told_in_a_sentence(faces: list[str], sentence: str) -> None:
    ran = run("score", "aetharn", *faces)
    assert (ran.code, ran.out, ran.err) == (2, "", f"dicehall: {sentence}\n")


@pytest.mark.parametrize("game", ["wards", "doordice", "mana", "chess", "x" * 100_000])
def test_other_games_have_no_table(game: str) -> None:
    ran = run("score", game, "1")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("has no scoring table. These games have one: aetharn and tenthousand.\n")
    assert len(ran.err) < 400


def test_a_very_long_word_is_not_echoed_whole() -> None:
    assert len(run("score", "aetharn", "9" * 100_000).err) < 400


def test_faces_are_needed() -> None:
    ran = run("score", "aetharn")
    assert ran.code == 2
    assert "FACE" in ran.err
