"""Time-outs, where a table has set a clock."""

from __future__ import annotations

import pytest

from dicehall.core.game import Dice, Expired, Seat
from dicehall.games.doordice.events import ChoiceForgone, EffectDone, Rolled, RoundStarted
from tests.games.doordice.playing import GAME, Table

HP = (10, 10, 10, 10, 10)


def test_an_expired_seats_roll_happens() -> None:
    """D10: its dice are drawn."""
    table = Table().expire()
    assert GAME.awaits(table.state) == Dice((6,), by=frozenset({Seat(0)}))
    assert table.only(RoundStarted).round == 1
    assert table.fresh == [False]


@pytest.mark.parametrize(("face", "hp"), [(1, 7), (5, 13)])
def test_what_resolves_itself_does(face: int, hp: int) -> None:
    """D10."""
    table = Table(hp=HP).expire().dice(face)
    assert table.state.hp == (hp, 10, 10, 10, 10)
    assert not table.only(Rolled).in_time
    assert (table.seat, table.fresh) == (1, [False, True])


@pytest.mark.parametrize("face", [2, 3, 4, 6])
def test_a_choice_of_the_living_is_forgone(face: int) -> None:
    """D10."""
    table = Table(hp=HP, vp=HP).expire().dice(face)
    assert (table.state.hp, table.state.vp) == (HP, HP)
    assert table.only(ChoiceForgone).face == face
    assert table.all(EffectDone) == []
    assert (table.seat, table.fresh) == (1, [False, True])


@pytest.mark.parametrize("face", [3, 4, 5, 6])
def test_a_choice_of_the_fallen_is_forgone(face: int) -> None:
    """D10."""
    table = Table(hp=(0, 10, 10, 10, 10)).expire().dice(face)
    assert table.state.hp == (0, 10, 10, 10, 10)
    assert table.only(ChoiceForgone).seat == 0
    assert table.seat == 1


def test_a_choice_that_is_due_is_forgone_without_another_roll() -> None:
    """D10."""
    table = Table(hp=HP).turn(6).expire()
    assert table.only(ChoiceForgone).effects == ("power_damage", "power_vp")
    assert (table.state.hp, table.state.vp, table.seat) == (HP, (0,) * 5, 1)
    assert table.only(Rolled).in_time


def test_a_late_roll_does_not_make_the_next_one_late() -> None:
    """D10."""
    table = Table(hp=HP).expire().dice(5).turn(2)
    assert GAME.view(table.state, None).face == 2
    assert [roll.in_time for roll in table.all(Rolled)] == [False, True]


def test_a_late_roll_that_resolves_itself_leaves_the_same_position_as_one_in_time() -> None:
    """D10."""
    assert Table(hp=HP).expire().dice(5).state == Table(hp=HP).turn(5).state


def test_only_the_seat_on_turn_can_expire() -> None:
    assert Table().code(Expired(Seat(1))) == "not_your_turn"
