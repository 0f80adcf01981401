"""Falling, and who is paid for it."""

from __future__ import annotations

import pytest

from dicehall.core.game import Over
from dicehall.games.doordice.events import EliminationScored, Fell, Rolled, RoundEnded
from dicehall.games.doordice.rules import DoOrDice
from tests.games.doordice.playing import JUST_VOID, Table


@pytest.mark.parametrize(("hp", "after", "falls"), [(5, 1, False), (4, 0, True), (2, -2, True)])
def test_no_hit_points_left_is_fallen_and_overkill_stays(hp: int, after: int, falls: bool) -> None:
    """D5."""
    table = Table(hp=(20, hp, 20, 20, 20)).turn(4, "strike", 1)
    assert table.state.hp[1] == after
    assert [(fell.seat, fell.hp, fell.round) for fell in table.all(Fell)] == ([(1, after, 1)] if falls else [])


def test_who_falls_before_its_turn_rolls_on_the_table_of_the_fallen() -> None:
    """D5."""
    table = Table(hp=(20, 2, 20, 20, 20)).turn(2, "jab", 1).turn(JUST_VOID)
    assert [roll.alive for roll in table.all(Rolled)] == [True, False]
    assert table.state.hp[1] == 0


def test_nobody_comes_back() -> None:
    """D5: the fallen can be no target, so nothing mends them."""
    table = Table(hp=(0, 0, 20, 20, 20)).turn(3)
    assert table.game.view(table.state, None).targets == (2, 3, 4)


@pytest.mark.parametrize(("face", "effect"), [(2, "jab"), (4, "strike"), (6, "power_damage")])
def test_a_living_seat_is_paid_for_whom_it_fells(face: int, effect: str) -> None:
    """D6."""
    table = Table(hp=(20, 2, 20, 20, 20), vp=(3, 1, 0, 0, 0)).turn(face, effect, 1)
    assert table.state.vp == (5, 1, 0, 0, 0)
    paid = table.only(EliminationScored)
    assert (paid.seat, paid.target, paid.points, paid.vp) == (0, 1, 2, 5)


def test_a_backfire_that_fells_pays_nobody() -> None:
    """D6."""
    table = Table(hp=(3, 20, 20, 20, 20)).turn(1)
    assert table.only(Fell).seat == 0
    assert table.all(EliminationScored) == []
    assert table.state.vp == (0, 0, 0, 0, 0)


def test_a_haunting_that_fells_pays_nobody() -> None:
    """D6."""
    table = Table(hp=(0, 1, 20, 20, 20)).turn(6, "take_hp", 1)
    assert (table.only(Fell).seat, table.state.hp[1]) == (1, -1)
    assert table.all(EliminationScored) == []
    assert table.state.vp == (0, 0, 0, 0, 0)


def test_what_felling_pays_is_a_house_rule() -> None:
    """C6."""
    table = Table(DoOrDice(elimination_vp=7), hp=(20, 2, 20, 20, 20)).turn(2, "jab", 1)
    assert table.state.vp[0] == 7


ENDINGS = [  # position, the last act, who is left, and their points
    ((20, 4, 0, 0, 0), (4, "strike", 1), 0, (2, 0, 0, 0, 0)),  # the kill still earns D6
    ((3, 20, 0, 0, 0), (1, None, None), 1, (0, 0, 0, 0, 0)),  # a backfire leaves the other
    ((-1, 2, 20, 0, 0), (5, "take_hp", 1), 2, (0, 0, 0, 0, 0)),  # so does a ghost
]


@pytest.mark.parametrize(("hp", "act", "left", "vp"), ENDINGS)
def test_one_seat_alive_stops_the_game_at_once(
    hp: tuple[int, ...], act: tuple[int, str | None, int | None], left: int, vp: tuple[int, ...]
) -> None:
    """D8: no bonus, and the broken-off round counts as fallen for nobody."""
    table = Table(hp=hp, round=2, fallen_rounds=(0, 0, 1, 2, 3)).turn(*act)
    assert [seat for seat in range(5) if table.state.hp[seat] > 0] == [left]
    assert table.state.vp == vp
    assert table.state.fallen_rounds == (0, 0, 1, 2, 3)
    assert table.all(RoundEnded) == []
    over = table.game.awaits(table.state)
    assert isinstance(over, Over)
    assert over.reason == "last_alive"
    assert table.game.view(table.state, None).round == 2


def test_the_last_act_of_the_last_round_can_stop_it_too() -> None:
    """D8: seat 4 fells the last other; there is no end of the round any more."""
    table = Table(hp=(1, -5, -2, -3, 20), round=6, seat=4).turn(2, "jab", 0)
    over = table.game.awaits(table.state)
    assert isinstance(over, Over)
    assert over.reason == "last_alive"
    assert table.state.vp == (0, 0, 0, 0, 2)
    assert table.state.fallen_rounds == (0, 0, 0, 0, 0)


def test_two_alive_play_on() -> None:
    """D8."""
    table = Table(hp=(20, 4, 20, 0, 0)).turn(4, "strike", 1)
    assert table.seat == 1
