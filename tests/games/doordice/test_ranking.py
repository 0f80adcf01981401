"""Who is better, down to the die."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.game import Dice, Over, Seat
from dicehall.games.doordice.events import GameEnded, Tied, TieDiceRolled
from tests.games.doordice.playing import GAME, JUST_VOID, Table

ALL_EQUAL = {"hp": (10,) * 5, "vp": (2,) * 5}


def ranking(**position: Any) -> tuple[tuple[int, ...], ...]:
    return GAME.view(Table(**position).state, None).ranking


@pytest.mark.parametrize(
    ("position", "places"),
    [
        ({"vp": (1, 5, 3, 2, 4)}, ((1,), (4,), (2,), (3,), (0,))),
        ({"vp": (1, 1, 1, 1, 1), "hp": (4, 9, 2, 8, 6)}, ((1,), (3,), (4,), (0,), (2,))),
        ({"hp": (0, -1, -4, 9, 8)}, ((3,), (4,), (0,), (1,), (2,))),  # overkill counts (D5)
        ({"hp": (0, 0, 0, 9, 8), "fallen_rounds": (3, 1, 2, 0, 0)}, ((3,), (4,), (1,), (2,), (0,))),
        ({"vp": (9, 0, 0, 0, 0), "hp": (-5, 20, 20, 20, 20)}, ((0,), (1, 2, 3, 4))),
        (ALL_EQUAL, ((0, 1, 2, 3, 4),)),
    ],
)
def test_points_then_hit_points_then_fewer_rounds_as_fallen(
    position: dict[str, Any], places: tuple[tuple[int, ...], ...]
) -> None:
    """D9: while the game runs equals share a place."""
    assert ranking(**position) == places


def last_round(hp: tuple[int, ...], vp: tuple[int, ...]) -> Table:
    """A last round in which nothing changes but the bonus of the living."""
    table = Table(hp=hp, vp=vp, round=6)
    for alive in [points > 0 for points in hp]:
        if alive:
            table.turn(2).expire()
        else:
            table.turn(JUST_VOID)
    return table


def test_a_fallen_seat_can_rank_first() -> None:
    """D9."""
    table = last_round((-2, 19, 18, 17, 16), (9, 0, 0, 0, 0))
    assert table.only(GameEnded).ranking == (0, 1, 2, 3, 4)


def test_equals_roll_a_die_each_and_the_higher_is_better() -> None:
    """D9."""
    table = last_round((20, 20, 15, 14, 13), (3, 3, 0, 0, 0))
    assert GAME.awaits(table.state) == Dice((6, 6))
    assert table.only(Tied).seats == (0, 1)
    assert table.all(GameEnded) == []
    table.dice(2, 5)
    assert table.only(TieDiceRolled).faces == (2, 5)
    assert table.only(GameEnded).ranking == (1, 0, 2, 3, 4)


def test_all_tied_groups_roll_in_one_entry_in_seat_order() -> None:
    """D9: seats 0 and 3 are level on top, 1, 2 and 4 below."""
    table = last_round((20, 10, 10, 20, 10), (3, 1, 1, 3, 1))
    assert GAME.awaits(table.state) == Dice((6,) * 5)
    table.dice(1, 6, 4, 2, 5)
    assert table.only(GameEnded).ranking == (3, 0, 1, 4, 2)


def test_a_die_never_lifts_a_seat_over_a_better_group() -> None:
    """D9."""
    table = last_round((20, 10, 9, 20, 10), (3, 1, 1, 3, 1)).dice(1, 6, 2, 5)
    assert table.only(GameEnded).ranking == (3, 0, 1, 4, 2)


def test_those_still_equal_roll_again_and_only_they() -> None:
    """D9."""
    table = last_round((20, 10, 10, 20, 10), (3, 1, 1, 3, 1)).dice(1, 4, 4, 2, 5)
    assert GAME.awaits(table.state) == Dice((6, 6))
    assert table.all(Tied)[-1].seats == (1, 2)
    table.dice(3, 3)
    assert GAME.awaits(table.state) == Dice((6, 6))
    table.dice(3, 6)
    assert table.only(GameEnded).ranking == (3, 0, 4, 2, 1)
    assert GAME.awaits(table.state) == Over(tuple(frozenset({Seat(seat)}) for seat in (3, 0, 4, 2, 1)), "rounds")


def test_ties_are_broken_after_a_last_survivor_too() -> None:
    """D8, D9."""
    table = Table(hp=(20, 2, 0, 0, 0)).turn(2, "jab", 1)
    assert GAME.awaits(table.state) == Dice((6, 6, 6, 6))
    table.dice(6, 5, 4, 3)
    assert (table.only(GameEnded).reason, table.only(GameEnded).ranking) == ("last_alive", (0, 1, 2, 3, 4))


def test_tie_dice_belong_to_nobody_and_leave_no_turn() -> None:
    """D9."""
    table = last_round((10,) * 5, (0,) * 5)
    awaited = GAME.awaits(table.state)
    assert isinstance(awaited, Dice)
    assert awaited.by == frozenset()
    assert GAME.choices(table.state, table.state.seat) == ()


def test_the_ranking_stays_visible_while_ties_are_rolled_and_after() -> None:
    """D9."""
    table = last_round((20, 20, 15, 14, 13), (3, 3, 0, 0, 0))
    assert GAME.view(table.state, None).ranking == ((0, 1), (2,), (3,), (4,))
    assert GAME.view(table.dice(2, 5).state, None).ranking == ((1,), (0,), (2,), (3,), (4,))
