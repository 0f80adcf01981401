"""Every refusal, and which comes first."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from dicehall.core.game import Event, Move, Roll, Seat, Unknown
from dicehall.games.doordice import events
from dicehall.games.doordice.rules import Choose, Word
from tests.games.doordice.playing import GAME, Table, choose

ROLL = Move(Seat(0), Word.ROLL)
A_JAB = (ROLL, Roll((2,)))
A_POWER_MOVE = (ROLL, Roll((6,)))


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([Roll((3,))], "no_dice_awaited"),
        ([ROLL, Roll((7,))], "wrong_dice"),
        ([ROLL, Roll((1, 2))], "wrong_dice"),
        ([Move(Seat(5), Word.ROLL)], "no_such_seat"),
        ([ROLL, Move(Seat(5), Word.ROLL)], "no_such_seat"),
        ([ROLL, ROLL], "awaiting_dice"),
        ([ROLL, Move(Seat(1), Word.ROLL)], "awaiting_dice"),
        ([Move(Seat(1), Word.ROLL)], "not_your_turn"),
        ([Move(Seat(1), Unknown("That"))], "not_your_turn"),
        ([Move(Seat(1), Choose("nonsense"))], "not_your_turn"),
        ([Move(Seat(0), Unknown("That"))], "bad_move"),
        ([*A_JAB, Move(Seat(0), Unknown("That"))], "bad_move"),
        ([Move(Seat(0), choose("jab", 1))], "must_roll"),
        ([Move(Seat(0), choose("nonsense", 99))], "bad_move"),
        ([*A_JAB, ROLL], "must_choose"),
        ([*A_JAB, Move(Seat(0), choose("strike", 1))], "wrong_effect"),
        ([*A_JAB, Move(Seat(0), choose("give_hp", 1))], "wrong_effect"),
        ([*A_JAB, Move(Seat(0), choose("power_vp"))], "wrong_effect"),
        ([*A_JAB, Move(Seat(0), choose("", 99))], "bad_move"),
        ([*A_JAB, Move(Seat(0), choose("recover"))], "bad_move"),
        ([*A_JAB, Move(Seat(0), choose("jab", 0))], "bad_target"),
        ([*A_JAB, Move(Seat(0), choose("jab", 5))], "bad_target"),
        ([*A_JAB, Move(Seat(0), choose("jab", -1))], "bad_target"),
        ([*A_JAB, Move(Seat(0), choose("jab"))], "bad_target"),
        ([*A_POWER_MOVE, Move(Seat(0), choose("power_vp", 1))], "bad_target"),
        ([*A_POWER_MOVE, Move(Seat(0), choose("power_damage"))], "bad_target"),
    ],
)
def test_what_is_refused_and_why(entries: list[object], code: str) -> None:
    """C2."""
    assert Table().code(*entries) == code


def test_the_fallen_are_no_targets() -> None:
    """D4."""
    assert Table(hp=(20, 0, 20, 20, 20)).code(*A_JAB, Move(Seat(0), choose("jab", 1))) == "bad_target"


def test_a_living_seats_effects_are_wrong_for_the_fallen() -> None:
    """D3."""
    table = Table(hp=(0, 20, 20, 20, 20))
    assert table.code(ROLL, Roll((6,)), Move(Seat(0), choose("power_vp"))) == "wrong_effect"


def test_a_finished_game_answers_nothing_else() -> None:
    """C2."""
    table = Table(hp=(15, 14, 13, 12, 1), round=6, seat=4).turn(5)
    for entry in (ROLL, Roll((1,)), Move(Seat(9), Word.ROLL)):
        assert table.code(entry) == "game_finished"


def test_tie_dice_must_be_as_many_as_are_tied() -> None:
    table = Table(hp=(20, 2, 0, 0, 0)).turn(2, "jab", 1)
    assert table.code(Roll((1, 2))) == "wrong_dice"
    assert table.code(ROLL) == "awaiting_dice"


@pytest.mark.parametrize(
    ("hp", "face", "count"), [((9,) * 5, 2, 4), ((9,) * 5, 6, 5), ((9, 0, 9, 9, 9), 3, 3), ((0, 9, 9, 9, 0), 5, 6)]
)
def test_every_listed_choice_is_accepted(hp: tuple[int, ...], face: int, count: int) -> None:
    table = Table(hp=hp).turn(face)
    choices = GAME.choices(table.state, Seat(0))
    assert len(choices) == len(set(choices)) == count
    for choice in choices:
        Table(hp=hp).turn(face).enter(Move(Seat(0), choice))


def test_before_the_roll_there_is_only_the_roll() -> None:
    assert GAME.choices(Table().state, Seat(0)) == (Word.ROLL,)
    assert GAME.choices(Table().state, Seat(1)) == ()


def test_every_event_has_a_sentence() -> None:
    told = {name for name, kind in vars(events).items() if isinstance(kind, type) and issubclass(kind, Event)}
    words = json.loads(files("dicehall.games.doordice").joinpath("words/en.json").read_text("utf-8"))
    assert set(words) - {"about"} == told - {"Event"}
