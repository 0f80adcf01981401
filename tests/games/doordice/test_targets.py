"""Whom one may choose."""

from __future__ import annotations

import pytest

from dicehall.core.game import Move
from tests.games.doordice.playing import GAME, Table, choose

SEAT_0_FELL = (0, 20, 20, 20, 20)


def targets(table: Table) -> tuple[int, ...]:
    return GAME.view(table.state, None).targets


@pytest.mark.parametrize(
    ("hp", "allowed"),
    [
        ((20, 20, 20, 20, 20), (1, 2, 3, 4)),
        ((20, 0, 20, -3, 20), (2, 4)),
        ((20, 0, 0, 0, 1), (4,)),
        ((0, 20, 20, 20, 20), (1, 2, 3, 4)),
        ((-1, 20, 0, 20, 0), (1, 3)),
    ],
)
def test_targets_are_the_living_and_never_oneself(hp: tuple[int, ...], allowed: tuple[int, ...]) -> None:
    """D4."""
    face = 2 if hp[0] > 0 else 5
    assert targets(Table(hp=hp).turn(face)) == allowed


def test_the_living_may_choose_the_same_target_every_round() -> None:
    """D4."""
    assert 3 in targets(Table(last_targets=(3, None, None, None, None)).turn(2))


def test_the_fallen_may_not_choose_the_target_of_the_round_before() -> None:
    """D4."""
    table = Table(hp=SEAT_0_FELL).turn(3, "give_vp", 2).turns(5, 5, 5, 5).turn(3)
    assert targets(table) == (1, 3, 4)
    assert table.code(Move(table.seat, choose("give_hp", 2))) == "bad_target"


def test_a_target_chosen_while_still_alive_counts_too() -> None:
    """D4: seat 0 jabs seat 3, falls in the same round, and cannot haunt seat 3 in the next."""
    table = Table(hp=(2, 20, 20, 20, 20)).turn(2, "jab", 3).turn(2, "jab", 0).turns(5, 5, 5).turn(6)
    assert targets(table) == (1, 2, 4)


def test_after_another_target_the_first_is_free_again() -> None:
    """D4: only the round before counts."""
    table = Table(hp=SEAT_0_FELL).turn(3, "give_vp", 2).turns(5, 5, 5, 5)
    table.turn(3, "give_vp", 4).turns(5, 5, 5, 5).turn(3)
    assert targets(table) == (1, 2, 3)


def test_a_void_frees_the_last_target() -> None:
    """D4."""
    table = Table(hp=SEAT_0_FELL).turn(5, "take_vp", 2).turns(5, 5, 5, 5).turns(1, 5, 5, 5, 5).turn(5)
    assert targets(table) == (1, 2, 3, 4)


@pytest.mark.parametrize(("face", "effect"), [(5, None), (1, None), (6, "power_vp")])
def test_a_living_turn_without_a_target_frees_it(face: int, effect: str | None) -> None:
    """D4: recover, backfire and +3 VP choose nobody."""
    table = Table(last_targets=(3, None, None, None, None)).turn(face, effect)
    assert table.state.last_targets[0] is None


def test_a_forgone_choice_frees_it() -> None:
    """D4."""
    table = Table(hp=SEAT_0_FELL, last_targets=(3, None, None, None, None)).turn(5).expire()
    assert table.state.last_targets[0] is None


def test_a_choice_without_effect_counts_as_a_target() -> None:
    """D4: a curse on somebody with no points."""
    table = Table(hp=SEAT_0_FELL).turn(5, "take_vp", 2).turns(5, 5, 5, 5).turn(5)
    assert targets(table) == (1, 3, 4)


def test_each_seat_remembers_its_own_target() -> None:
    table = Table().turn(2, "jab", 4).turn(2, "jab", 0).turn(5)
    assert GAME.view(table.state, None).last_targets == (4, 0, None, None, None)


def test_with_two_left_alive_a_ghost_always_has_one_to_choose() -> None:
    """D4."""
    table = Table(hp=(0, 0, 0, 9, 9), last_targets=(3, None, None, None, None)).turn(5)
    assert targets(table) == (4,)
    assert {choice.target for choice in GAME.choices(table.state, table.seat) if not isinstance(choice, str)} == {4}
