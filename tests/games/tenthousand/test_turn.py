"""A turn of Dice 10 000: rolling, locking, yielding, and the rounds they make."""

from __future__ import annotations

import pytest

from dicehall.core.game import Attend, Dice, Move, Over, Presence, Seat, Turn
from dicehall.games.tenthousand.actions import Lock, Word
from dicehall.games.tenthousand.events import (
    Busted,
    Locked,
    Rolled,
    RoundEnded,
    RoundStarted,
    TimedOut,
    TurnStarted,
    Won,
    Yielded,
)
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.games.tenthousand.scoring import TABLE
from tests.games.tenthousand.sitting import BUST, Sitting

ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)


def test_seats_play_in_the_order_of_joining_round_by_round() -> None:
    """T1."""
    table = Sitting(3)
    told = []
    for _ in range(6):
        told.append((table.view.round, table.state.seat))
        table.roll(*BUST)
    assert told == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert table.view.round == 2


def test_a_round_is_told_when_it_ends_and_when_the_next_begins() -> None:
    """T1."""
    table = Sitting(2)
    assert table.earn_1000() == (Yielded(ZERO, 1000, 1000), TurnStarted(ONE, 0))
    told = table.roll(*BUST)
    assert told == (
        Rolled(ONE, BUST),
        Busted(ONE, 0),
        RoundEnded(0, (1000, 0)),
        RoundStarted(1),
        TurnStarted(ZERO, 1),
    )


def test_the_player_chooses_the_grouping() -> None:
    """T3."""
    table = Sitting()
    table.roll(1, 1, 1, 5, 2, 3)
    assert table.lock((1,), (1,), (1,)) == (Locked(ZERO, ((1,), (1,), (1,)), 300, 300, 3),)
    again = Sitting()
    again.roll(1, 1, 1, 5, 2, 3)
    assert again.lock((1, 1, 1)) == (Locked(ZERO, ((1, 1, 1),), 1000, 1000, 3),)


def test_locked_dice_never_regroup() -> None:
    """T3: 1 1, and 1 later, are 300."""
    table = Sitting()
    table.roll(1, 1, 2, 3, 4, 6)
    table.lock((1, 1))
    table.roll(1, 2, 3, 4)
    assert table.refuses(Lock(((1, 1, 1),))) == "not_in_roll"
    table.lock((1,))
    assert table.view.turn_points == 300
    assert table.view.dice_left == 3


def test_dice_locked_in_this_roll_cannot_be_locked_again() -> None:
    """T3."""
    table = Sitting()
    table.roll(1, 5, 2, 3, 4, 6)
    table.lock((1,))
    assert table.refuses(Lock(((1,),))) == "not_in_roll"


def test_faces_may_be_named_in_any_order_and_are_shown_sorted() -> None:
    """T2: subsets stay in the order of locking."""
    game = TenThousand(table=TABLE.of(dict(TABLE.rows), {(1, 2, 3): 250}))
    table = Sitting(table=game.table)
    table.roll(3, 1, 2, 5, 1, 4)
    table.lock((5,), (3, 1, 2))
    table.lock((1,))
    assert table.view.locked == ((5,), (1, 2, 3), (1,))
    assert table.view.turn_points == 400


def test_a_roll_worth_nothing_ends_the_turn_with_nothing() -> None:
    """T4."""
    table = Sitting(3)
    table.roll(1, 1, 1, 2, 3, 4)
    table.lock((1, 1, 1))
    assert table.roll(2, 3, 4) == (Rolled(ZERO, (2, 3, 4)), Busted(ZERO, 1000), TurnStarted(ONE, 0))
    assert table.view.scores == (0, 0, 0)
    assert table.step.fresh_clock


@pytest.mark.parametrize("roll", [(1, 2, 3, 4, 5, 6), (2, 2, 3, 3, 4, 4)])
def test_straights_and_pairs_are_worth_no_more_than_their_dice(roll: tuple[int, ...]) -> None:
    """T4."""
    table = Sitting()
    assert isinstance(table.roll(*roll)[-1], TurnStarted) == (1 not in roll)


def test_all_six_locked_are_all_rolled_again_without_limit() -> None:
    """T5."""
    table = Sitting()
    for times in range(1, 6):
        table.roll(2, 2, 2, 3, 3, 3)
        table.lock((2, 2, 2))
        table.lock((3, 3, 3))
        assert (table.view.dice_left, table.view.turn_points) == (0, 500 * times)
        assert table.game.choices(table.state, ZERO)[0] == Word.ROLL
    table.act(Word.ROLL)
    assert table.view.dice_left == 6
    assert table.game.awaits(table.state) == Dice((6,) * 6, by=frozenset({ZERO}))


def test_yielding_needs_a_lock_in_the_current_roll() -> None:
    """T6."""
    table = Sitting()
    assert table.refuses(Word.YIELD) == "must_lock"
    table.roll(1, 1, 1, 2, 3, 4)
    assert table.view.must_lock
    assert table.refuses(Word.YIELD) == "must_lock"
    table.lock((1, 1, 1))
    assert not table.view.must_lock
    table.roll(1, 2, 3)
    assert table.refuses(Word.YIELD) == "must_lock"
    table.lock((1,))
    assert table.give_way() == (Yielded(ZERO, 1100, 1100), TurnStarted(ONE, 0))
    assert table.view.scores == (1100, 0)


def test_rolling_on_needs_a_lock_too_and_a_lock_needs_a_roll() -> None:
    """T2, T6."""
    table = Sitting()
    assert table.refuses(Lock(())) == "nothing_rolled"
    table.roll(1, 1, 1, 2, 3, 4)
    assert table.refuses(Word.ROLL) == "must_lock"


def test_a_second_lock_on_the_same_roll_is_allowed() -> None:
    """T6."""
    table = Sitting()
    table.roll(1, 5, 5, 2, 3, 4)
    table.lock((1,))
    assert table.lock((5, 5)) == (Locked(ZERO, ((5, 5),), 100, 200, 3),)
    assert table.view.locked == ((1,), (5, 5))


@pytest.mark.parametrize(("opening", "missing"), [(1000, 700), (301, 1), (300, 0), (0, 0)])
def test_the_first_points_must_reach_the_opening(opening: int, missing: int) -> None:
    """T7: the refusal says how much is missing."""
    table = Sitting(opening=opening)
    table.roll(3, 3, 3, 2, 4, 6)
    table.lock((3, 3, 3))
    if missing:
        refused = table.refused(Move(ZERO, Word.YIELD))
        assert (refused.code, refused.more) == ("below_opening", {"missing": missing})
        assert str(missing) in refused.sentence
        assert Word.YIELD not in table.game.choices(table.state, ZERO)
    else:
        assert Word.YIELD in table.game.choices(table.state, ZERO)
        table.give_way()
        assert table.view.scores == (300, 0)


def test_after_the_opening_any_points_will_do() -> None:
    """T7."""
    table = Sitting()
    table.earn_1000()
    table.roll(*BUST)
    table.roll(5, 2, 3, 4, 6, 6)
    table.lock((5,))
    assert table.give_way()[0] == Yielded(ZERO, 50, 1050)


@pytest.mark.parametrize("lost", ["bust", "time"])
def test_a_bust_or_time_out_is_not_the_first_time(lost: str) -> None:
    """T7."""
    table = Sitting()
    table.roll(1, 1, 1, 2, 3, 4)
    table.lock((1, 1, 1))
    if lost == "bust":
        table.roll(2, 3, 4)
    else:
        table.expire()
    table.roll(*BUST)
    table.roll(1, 2, 3, 4, 6, 6)
    table.lock((1,))
    assert table.refuses(Word.YIELD) == "below_opening"


def test_the_opening_applies_also_where_the_goal_is_lower() -> None:
    """T7."""
    table = Sitting(goal=500)
    table.roll(5, 5, 5, 2, 3, 4)
    table.lock((5, 5, 5))
    assert table.refuses(Word.YIELD) == "below_opening"


@pytest.mark.parametrize(("goal", "won"), [(1000, True), (1001, False)])
def test_reaching_the_goal_on_a_yield_wins_at_once(goal: int, won: bool) -> None:
    """T8: game and round end there, the others are placed by score."""
    table = Sitting(3, goal=goal)
    told = table.earn_1000()
    if won:
        places = ((ZERO,), (ONE, TWO))
        assert told == (Yielded(ZERO, 1000, 1000), RoundEnded(0, (1000, 0, 0)), Won(ZERO, 1000, places))
        assert table.game.awaits(table.state) == Over(tuple(map(frozenset, places)), "goal")
        assert not table.step.fresh_clock
        assert table.refuses(Word.ROLL) == "game_finished"
    else:
        assert table.game.awaits(table.state) == Turn(frozenset({ONE}))


def test_locking_enough_does_not_win_before_the_yield() -> None:
    """T8."""
    table = Sitting(goal=1000)
    table.roll(1, 1, 1, 1, 2, 3)
    table.lock((1, 1, 1, 1))
    assert table.game.awaits(table.state) == Turn(frozenset({ZERO}))


def test_the_others_are_placed_by_score_and_equals_share() -> None:
    """T8, C8: and after the end the turn shows its start, the round the last one played."""
    table = Sitting(4, goal=2000)
    table.earn_1000()
    table.roll(*BUST)
    table.earn_1000()
    table.earn_1000()
    table.roll(*BUST)
    table.roll(*BUST)
    told = table.earn_1000()
    assert told[-1] == Won(TWO, 2000, ((TWO,), (ZERO, Seat(3)), (ONE,)))
    view = table.view
    assert (view.scores, view.round) == ((1000, 0, 2000, 1000), 1)
    assert (view.turn_points, view.roll, view.locked, view.dice_left, view.must_lock) == (0, None, (), 6, False)


def test_a_time_out_ends_the_turn_with_nothing() -> None:
    """T9."""
    table = Sitting(turn_seconds=20)
    table.roll(1, 1, 1, 2, 3, 4)
    table.lock((1, 1, 1))
    assert table.expire() == (TimedOut(ZERO, 1000), TurnStarted(ONE, 0))
    assert table.view.scores == (0, 0)
    assert table.step.fresh_clock
    assert table.expire()[-3:] == (RoundEnded(0, (0, 0)), RoundStarted(1), TurnStarted(ZERO, 1))


def test_absence_changes_nothing() -> None:
    """C9."""
    table = Sitting()
    before = table.state
    for presence in Presence:
        assert table.play(Attend(ONE, presence)) == ()
    assert table.state == before
