"""Who is left, who wins, and how all stand at the end of Aetharn."""

from __future__ import annotations

import pytest

from dicehall.core.game import Over, Seat
from dicehall.games.aetharn.events import (
    GameAbandoned,
    GameEnded,
    PlayerFolded,
    PlayerRemoved,
    PlayerReturned,
    TurnEnded,
)
from tests.games.aetharn.sitting import AWAY, BUST, GONE, HERE, Sitting, waiting

ZERO, ONE, TWO, THREE = (Seat(at) for at in range(4))


@pytest.mark.parametrize("on_turn", [0, 1])
def test_the_last_seat_wins_at_once_when_the_other_folds(on_turn: int) -> None:
    """A15: any running turn ends, whoever's it is, and points do not matter."""
    table = Sitting(2)
    table.earn_100()
    if on_turn == 0:
        table.roll(*BUST)
    assert table.on_turn == on_turn
    table.roll(1, 1, 1, 2, 3, 4)
    table.hold(0, 1, 2)
    ended = TurnEnded(Seat(on_turn), None, False, 0)
    assert table.fold(0) == (PlayerFolded(ZERO, 1), ended, GameEnded(ONE, (ONE, ZERO)))
    assert table.game.awaits(table.state) == Over((frozenset({ONE}), frozenset({ZERO})), "LastPlayerStanding")
    assert table.view.scores == (100, 0)
    assert not table.step.fresh_clock


def test_the_last_seat_wins_at_once_when_the_other_is_removed() -> None:
    """A15."""
    table = Sitting(2)
    table.attend(1, AWAY)
    told = table.attend(1, GONE)
    assert told == (PlayerRemoved(ONE, 1), TurnEnded(ZERO, None, False, 0), GameEnded(ZERO, (ZERO, ONE)))


def test_the_last_seat_wins_on_returning() -> None:
    """A15: also if it was its own turn that ended."""
    table = Sitting(2)
    table.attend(0, AWAY)
    assert table.fold(1) == (PlayerFolded(ONE, 1), TurnEnded(ZERO, None, False, 0))
    assert table.waits
    assert table.attend(0, HERE) == (PlayerReturned(ZERO), GameEnded(ZERO, (ZERO, ONE)))
    assert not table.step.fresh_clock
    assert table.game.awaits(table.state) == Over((frozenset({ZERO}), frozenset({ONE})), "LastPlayerStanding")


def test_the_game_is_abandoned_when_the_last_grace_ends_too() -> None:
    """A15."""
    table = Sitting(3, order=(3, 1))
    table.attend(0, AWAY)
    table.fold(1)
    table.fold(2)
    assert table.waits
    assert table.attend(0, GONE) == (PlayerRemoved(ZERO, 0), GameAbandoned((TWO, ZERO, ONE)))
    assert table.game.awaits(table.state) == Over((), "AllPlayersLeft")
    assert table.view.out == {"0": "removed", "1": "folded", "2": "folded"}


def test_all_removed_one_after_the_other_from_a_waiting_table() -> None:
    """A15: the last but one to go does not make the last one win while it is absent."""
    table = waiting(3)
    table.attend(0, GONE)
    assert table.attend(2, GONE) == (PlayerRemoved(TWO, 1),)
    assert table.waits
    assert table.attend(1, GONE) == (PlayerRemoved(ONE, 0), GameAbandoned((ZERO, ONE, TWO)))


def test_standings_put_those_still_in_before_those_who_are_out() -> None:
    """A18: absent seats are still in; folded and removed stand together by score; ties share within a group."""
    table = Sitting(6, goal=1000)
    for _ in range(4):
        table.earn_100()
    table.roll(*BUST)
    table.roll(*BUST)
    table.fold(0)  # 100
    table.attend(3, AWAY)  # 100, still in
    table.attend(1, AWAY)
    table.attend(1, GONE)  # 100
    table.attend(4, AWAY)
    table.attend(4, GONE)  # 0
    table.roll(1, 1, 1, 2, 3, 4)
    table.hold(0, 1, 2)
    told = table.bank()
    places = ({TWO}, {THREE}, {Seat(5)}, {ZERO, ONE}, {Seat(4)})
    assert table.game.awaits(table.state) == Over(tuple(map(frozenset, places)), "WinnerReached5000")
    assert told[-1] == GameEnded(TWO, (TWO, THREE, Seat(5), ZERO, ONE, Seat(4)))


def test_equals_who_are_in_share_a_place_and_equals_in_and_out_do_not() -> None:
    """A18."""
    table = Sitting(4, goal=1000)
    table.fold(3)
    table.roll(1, 1, 1, 2, 3, 4)
    table.hold(0, 1, 2)
    table.bank()
    over = table.game.awaits(table.state)
    assert isinstance(over, Over)
    assert over.places == (frozenset({ZERO}), frozenset({ONE, TWO}), frozenset({THREE}))
    assert over.winner == 0
