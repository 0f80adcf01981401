"""Folding, being absent, coming back and being removed."""

from __future__ import annotations

from dataclasses import fields

import pytest

from dicehall.core.game import Attend, Expired, Move, Presence, Seat, Turn
from dicehall.games.aetharn.actions import Hold, Word
from dicehall.games.aetharn.events import (
    PlayerAbsent,
    PlayerFolded,
    PlayerRemoved,
    PlayerReturned,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
    TurnTimedOut,
)
from tests.games.aetharn.sitting import AWAY, BUST, GONE, HERE, Sitting, waiting

ZERO, ONE, TWO, THREE = (Seat(at) for at in range(4))


def test_a_fold_in_ones_turn_loses_its_points_and_passes_the_turn() -> None:
    """A11."""
    table = Sitting(3)
    table.roll(1, 1, 1, 2, 3, 4)
    table.hold(0, 1, 2)
    assert table.fold(0) == (PlayerFolded(ZERO, 2), TurnEnded(ZERO, ONE, False, 0), TurnStarted(ONE))
    assert table.view.scores == (0, 0, 0)
    assert table.view.turn_points == 0
    assert table.step.fresh_clock


def test_a_fold_out_of_turn_leaves_the_turn_alone() -> None:
    """A11: any seat, any time."""
    table = Sitting(3)
    table.roll(1, 1, 1, 2, 3, 4)
    table.hold(0)
    assert table.fold(2) == (PlayerFolded(TWO, 2),)
    assert not table.step.fresh_clock
    assert (table.on_turn, table.view.turn_points, table.view.out) == (0, 100, {"2": "folded"})


def test_a_seat_that_folded_is_out_for_good() -> None:
    """A11: it is never on turn, is not passed over by name, and cannot come back."""
    table = Sitting(3)
    table.fold(1)
    assert table.roll(*BUST)[-2:] == (TurnEnded(ZERO, TWO, True, 0), TurnStarted(TWO))
    for action in (Word.ROLL, Word.BANK, Word.FOLD, Hold((0,))):
        assert table.refused(Move(ONE, action)) == "seat_is_out"
    for presence in Presence:
        assert table.refused(Attend(ONE, presence)) == "seat_is_out"


def test_a_fold_waits_for_the_dice_in_the_air() -> None:
    """A11, C7."""
    table = Sitting(3)
    table.act(Word.ROLL)
    assert table.refused(Move(TWO, Word.FOLD)) == "awaiting_dice"


def test_a_seat_may_leave_and_return_in_time() -> None:
    """A12."""
    table = Sitting(3)
    assert table.attend(1, AWAY) == (PlayerAbsent(ONE),)
    assert table.view.away == (1,)
    assert table.attend(1, HERE) == (PlayerReturned(ONE),)
    assert not table.view.away
    assert not table.step.fresh_clock
    table.roll(*BUST)
    assert table.on_turn == 1


def test_a_seat_whose_grace_ends_is_removed() -> None:
    """A12."""
    table = Sitting(3)
    table.attend(1, AWAY)
    assert table.attend(1, GONE) == (PlayerRemoved(ONE, 2),)
    assert (table.view.away, table.view.out) == ((), {"1": "removed"})
    assert table.refused(Attend(ONE, HERE)) == "seat_is_out"
    assert table.refused(Move(ONE, Word.FOLD)) == "seat_is_out"


def test_a_presence_that_changes_nothing_is_refused() -> None:
    """A12."""
    table = Sitting(3)
    assert table.refused(Attend(ONE, HERE)) == "no_change"
    assert table.refused(Attend(ONE, GONE)) == "not_away"
    table.attend(1, AWAY)
    assert table.refused(Attend(ONE, AWAY)) == "no_change"
    assert table.refused(Attend(THREE, AWAY)) == "no_such_seat"


def test_an_absent_seat_cannot_act_and_cannot_fold() -> None:
    """A13: in its turn or out of it."""
    table = Sitting(3)
    table.attend(0, AWAY)
    table.attend(1, AWAY)
    for seat in (ZERO, ONE):
        for action in (Word.ROLL, Word.BANK, Word.FOLD, Hold((0,))):
            assert table.refused(Move(seat, action)) == "seat_is_away"
    assert table.game.choices(table.state, ZERO) == ()


def test_an_absent_seat_is_skipped_when_its_turn_comes_even_if_it_is_back_a_second_later() -> None:
    """A13: once per round."""
    table = Sitting(4)
    table.attend(1, AWAY)
    table.attend(2, AWAY)
    ended = table.roll(*BUST)[2:]
    assert ended == (TurnEnded(ZERO, THREE, True, 0), TurnSkipped(ONE), TurnSkipped(TWO), TurnStarted(THREE))
    table.attend(1, HERE)
    assert table.on_turn == 3
    table.roll(*BUST)
    assert table.on_turn == 0
    assert table.roll(*BUST)[2:] == (TurnEnded(ZERO, ONE, True, 0), TurnStarted(ONE))


def test_the_only_one_present_plays_again_and_again() -> None:
    """A13, A14."""
    table = Sitting(3)
    table.attend(0, AWAY)
    table.expire()
    table.attend(2, AWAY)
    for _ in range(2):
        ended = table.earn_100()[1:]
        assert ended == (TurnEnded(ONE, ONE, False, 100), TurnSkipped(TWO), TurnSkipped(ZERO), TurnStarted(ONE))
        assert table.step.fresh_clock
    assert table.view.scores == (0, 200, 0)


def test_who_leaves_in_its_turn_keeps_the_turn_and_may_return_to_it() -> None:
    """A13: the clock runs on."""
    table = Sitting(3)
    table.roll(1, 1, 1, 2, 3, 4)
    table.hold(0, 1, 2)
    assert table.attend(0, AWAY) == (PlayerAbsent(ZERO),)
    assert not table.step.fresh_clock
    assert table.game.awaits(table.state) == Turn(frozenset({ZERO}))
    assert table.attend(0, HERE) == (PlayerReturned(ZERO),)
    assert not table.step.fresh_clock
    assert table.view.turn_points == 1000
    table.bank()
    assert table.view.scores[0] == 1000


def test_who_leaves_in_its_turn_before_the_first_roll_is_not_skipped() -> None:
    """A13."""
    table = Sitting(3)
    table.attend(0, AWAY)
    assert table.on_turn == 0
    assert table.refused(Move(ONE, Word.ROLL)) == "not_your_turn"
    assert table.expire() == (TurnTimedOut(ZERO, 0), TurnEnded(ZERO, ONE, True, 0), TurnStarted(ONE))


def test_a_turn_runs_on_while_all_are_absent_until_its_time_is_out() -> None:
    """A13, A14: the table waits only when the turn would pass, and nobody is passed over then."""
    table = Sitting(3)
    for seat in (0, 1, 2):
        table.attend(seat, AWAY)
    assert table.game.awaits(table.state) == Turn(frozenset({ZERO}))
    assert table.expire() == (TurnTimedOut(ZERO, 0), TurnEnded(ZERO, None, True, 0))
    assert table.waits
    assert not table.step.fresh_clock
    assert table.refused(Expired(ZERO)) == "not_your_turn"
    view = table.view
    assert (view.turn_points, view.roll, view.held, view.dice_left, view.must_hold) == (0, None, (), 6, False)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_first_to_return_to_a_waiting_table_is_on_turn(first: int) -> None:
    """A14: with a fresh clock; who comes later waits for the turn."""
    table = waiting(3)
    assert table.attend(first, HERE) == (PlayerReturned(Seat(first)), TurnStarted(Seat(first)))
    assert table.step.fresh_clock
    assert table.on_turn == first
    second = Seat((first + 1) % 3)
    assert table.attend(second, HERE) == (PlayerReturned(second),)
    assert not table.step.fresh_clock
    assert table.on_turn == first


def test_the_table_waits_when_the_only_one_present_folds() -> None:
    """A11, A14."""
    table = Sitting(3)
    table.attend(1, AWAY)
    table.attend(2, AWAY)
    assert table.fold(0) == (PlayerFolded(ZERO, 2), TurnEnded(ZERO, None, False, 0))
    assert table.waits
    assert table.attend(2, HERE) == (PlayerReturned(TWO), TurnStarted(TWO))


def test_a_removal_in_ones_turn_passes_the_turn() -> None:
    """A12, A14: to the next who is present, or to nobody."""
    table = Sitting(4)
    table.attend(0, AWAY)
    table.attend(1, AWAY)
    gone = table.attend(0, GONE)
    assert gone == (PlayerRemoved(ZERO, 3), TurnEnded(ZERO, TWO, False, 0), TurnSkipped(ONE), TurnStarted(TWO))
    assert table.step.fresh_clock
    table.attend(2, AWAY)
    table.attend(3, AWAY)
    assert table.attend(2, GONE) == (PlayerRemoved(TWO, 2), TurnEnded(TWO, None, False, 0))
    assert table.waits


def test_graces_run_on_while_the_table_waits_and_an_absence_may_begin_again() -> None:
    """A14."""
    table = waiting(4)
    assert table.attend(3, GONE) == (PlayerRemoved(THREE, 3),)
    assert table.waits
    table.attend(1, HERE)
    assert table.attend(1, AWAY) == (PlayerAbsent(ONE),)
    assert table.on_turn == 1  # its turn has begun, and runs on


def test_no_event_of_an_absence_tells_a_time_or_a_reason() -> None:
    """A12, A19: the table fills those in."""
    told = {kind: [f.name for f in fields(kind)] for kind in (PlayerAbsent, PlayerReturned, PlayerRemoved, TurnStarted)}
    assert told == {
        PlayerAbsent: ["to", "player"],
        PlayerReturned: ["to", "player"],
        PlayerRemoved: ["to", "player", "remaining_player_count"],
        TurnStarted: ["to", "player"],
    }
