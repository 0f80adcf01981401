"""What choices add at once, where dice that are taken are worth something."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.fold import replay
from dicehall.core.game import AnyGame, Move, Roll, Seat
from dicehall.games import catalogue
from dicehall.wire.actions import codec_of
from dicehall.wire.shown import show_choices, show_points

ME = Seat(0)


def position(key: str, seats: int, *entries: Any) -> tuple[Any, Any]:
    game = catalogue()[key]()
    return game, replay(game, seats, entries)


def rolled(key: str, *faces: int) -> tuple[Any, Any]:
    draw = (Roll((1,)),) if key == "aetharn" else ()
    game: AnyGame = catalogue()[key]()
    roll = codec_of(type(game)).decode("roll")
    return position(key, 2, *draw, Move(ME, roll), Roll(faces))


@pytest.mark.parametrize(
    ("key", "move", "points"),
    [
        ("aetharn", {"hold": [0, 1, 2]}, 400),
        ("aetharn", {"hold": [0, 1, 2, 3, 5]}, 600),
        ("aetharn", {"hold": [3]}, 100),
        ("tenthousand", {"lock": [[4, 4, 4]]}, 400),
        ("tenthousand", {"lock": [[1, 1], [4, 4, 4]]}, 600),
        ("tenthousand", {"lock": [[1]]}, 100),
    ],
)
def test_each_hold_and_lock_is_told_with_its_points(key: str, move: Any, points: int) -> None:
    game, state = rolled(key, 4, 4, 4, 1, 3, 1)
    choices, worths = show_choices(game, state)["0"], show_points(game, state)["0"]
    assert len(choices) == len(worths)
    assert worths[choices.index(move)] == points


def test_what_takes_no_dice_has_no_points() -> None:
    game, state = position("aetharn", 2, Roll((1,)))
    assert show_choices(game, state) == {"0": ["roll", "fold"]}
    assert show_points(game, state) == {"0": [None, None]}


def test_games_in_which_no_dice_are_taken_tell_none() -> None:
    assert show_points(*position("wards", 2)) == {}
