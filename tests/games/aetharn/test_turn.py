"""A turn of Aetharn: rolling, holding, hot dice, busting and banking."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from dicehall.core.game import Dice, Expired, Move, Over, Seat
from dicehall.games.aetharn.actions import Hold, Word
from dicehall.games.aetharn.events import DiceHeld, DiceRolled, HotDice, PlayerBusted, PointsScored, TurnEnded
from dicehall.games.aetharn.rules import Aetharn
from tests.games.aetharn.sitting import BUST, SIX_ONES, Sitting, names


def test_every_order_of_play_can_be_drawn_and_is_equally_likely() -> None:
    """A1: the first entry is the draw, and each outcome of its dice is another order."""
    draws = product(range(1, 4), range(1, 3))
    assert sorted(Sitting(3, order=draw).state.order for draw in draws) == sorted(permutations((0, 1, 2)))


def test_the_order_drawn_is_kept() -> None:
    """A1."""
    table = Sitting(3, order=(2, 2))
    assert table.view.order == (1, 2, 0)
    turns = []
    for _ in range(6):
        turns.append(table.on_turn)
        table.roll(*BUST)
    assert turns == [1, 2, 0, 1, 2, 0]


def test_six_dice_are_rolled_first_and_nobody_has_points() -> None:
    """A1."""
    table = Sitting()
    assert table.view.scores == (0, 0)
    table.act(Word.ROLL)
    assert table.game.awaits(table.state) == Dice((6,) * 6, by=frozenset({Seat(0)}))


def test_before_the_draw_no_order_is_shown() -> None:
    """A1."""
    game = Aetharn()
    state = game.start(4)
    assert game.view(state, None).order is None
    assert game.awaits(state) == Dice((4, 3, 2))


@pytest.mark.parametrize(
    ("roll", "dice", "points"),
    [
        ((1, 1, 1, 1, 2, 2), (0, 1, 2, 3, 4, 5), 1500),
        ((1, 1, 1, 1, 2, 2), (3, 0, 2, 1), 2000),
        (BUST[:5] + (5,), (5,), 50),
    ],
)
def test_a_hold_is_worth_its_best_full_reading(roll: tuple[int, ...], dice: tuple[int, ...], points: int) -> None:
    """A4."""
    table = Sitting()
    table.roll(*roll)
    table.hold(*dice)
    assert table.view.turn_points == points
    assert table.view.held == tuple(sorted(dice))
    assert table.view.dice_left == 6 - len(dice)


@pytest.mark.parametrize(
    ("dice", "code"),
    [
        ((), "bad_index"),
        ((6,), "bad_index"),
        ((-1,), "bad_index"),
        ((1, 1), "bad_index"),
        ((0,), "bad_index"),  # held already
        ((1, 0), "bad_index"),
        ((2, 9), "bad_index"),  # before it is asked whether it scores
        ((1, 2), "does_not_score"),  # the faces 5 2
        ((2, 3), "does_not_score"),  # the faces 2 2
        ((2,), "does_not_score"),
    ],
)
def test_a_hold_that_is_refused(dice: tuple[int, ...], code: str) -> None:
    """A4."""
    table = Sitting()
    table.roll(1, 5, 2, 2, 3, 4)
    table.hold(0)
    assert table.refuses(Hold(dice)) == code


def test_three_fives_held_one_by_one_are_worth_150() -> None:
    """A5."""
    table = Sitting()
    table.roll(5, 5, 5, 2, 3, 4)
    for at in (0, 2, 1):
        table.hold(at)
    assert table.view.turn_points == 150
    assert table.view.held == (0, 1, 2)


def test_dice_of_earlier_rolls_never_combine_with_later_ones() -> None:
    """A5: and indices are positions in the current roll."""
    table = Sitting()
    table.roll(1, 1, 2, 3, 4, 6)
    table.hold(0, 1)
    table.roll(2, 2, 4, 1)
    assert table.view.held == ()
    table.hold(3)
    assert table.view.turn_points == 300
    assert table.refuses(Hold((4,))) == "bad_index"


def test_rolling_on_needs_a_hold_since_the_last_roll() -> None:
    """A6: the first roll of a turn excepted."""
    table = Sitting()
    table.roll(1, 2, 2, 3, 4, 6)
    assert table.view.must_hold
    assert table.refuses(Word.ROLL) == "must_hold"
    table.hold(0)
    assert not table.view.must_hold
    table.roll(5, 2, 3, 4, 6)
    assert table.refuses(Word.ROLL) == "must_hold"


def test_there_is_no_bank_before_the_first_roll_nor_on_an_unanswered_one() -> None:
    """A6."""
    table = Sitting()
    assert table.refuses(Word.BANK) == "nothing_rolled"
    assert table.refuses(Hold((0,))) == "nothing_rolled"
    table.roll(1, 2, 2, 3, 4, 6)
    assert table.refuses(Word.BANK) == "must_hold"
    table.hold(0)
    table.roll(5, 2, 3, 4, 6)
    assert table.refuses(Word.BANK) == "must_hold"
    table.hold(0)
    assert PointsScored(Seat(0), 150, 150) in table.bank()


def test_a_roll_in_which_nothing_scores_loses_the_points_and_the_turn() -> None:
    """A7."""
    table = Sitting()
    table.roll(1, 1, 1, 2, 3, 4)
    table.hold(0, 1, 2)
    events = table.roll(2, 3, 4)
    assert PlayerBusted(Seat(0), 1000) in events
    assert TurnEnded(Seat(0), Seat(1), True, 0) in events
    assert table.view.scores == (0, 0)
    assert table.on_turn == 1
    assert table.step.fresh_clock


def test_hot_dice_keep_the_points_and_bring_all_six_back() -> None:
    """A8: told, with a fresh clock, at the hold that completes six; used up by the roll."""
    table = Sitting()
    table.roll(1, 1, 2, 3, 4, 5)
    table.hold(0, 1)
    table.roll(1, 5, 5, 5)  # the six may be held over several rolls
    assert names(table.hold(1, 2, 3)) == ["DiceHeld"]
    assert not table.step.fresh_clock
    assert table.hold(0) == (DiceHeld((1,), 100, 0), HotDice(Seat(0), 800))
    assert table.step.fresh_clock
    assert (table.view.dice_left, table.view.hot_dice_used) == (0, 0)
    table.act(Word.ROLL)
    assert not table.step.fresh_clock
    assert (table.view.dice_left, table.view.hot_dice_used, table.view.turn_points) == (6, 1, 800)
    assert table.game.awaits(table.state) == Dice((6,) * 6, by=frozenset({Seat(0)}))


def test_banking_is_allowed_instead_of_hot_dice() -> None:
    """A8."""
    table = Sitting()
    table.roll(2, 2, 2, 3, 3, 3)
    table.hold(0, 1, 2, 3, 4, 5)
    assert PointsScored(Seat(0), 500, 500) in table.bank()


@pytest.mark.parametrize("hot_dice", [0, 1, 2])
def test_after_the_last_hot_dice_only_banking_is_left(hot_dice: int) -> None:
    """A8: once per turn, or as often as the house says; and nothing more is told then."""
    table = Sitting(goal=100_000, hot_dice=hot_dice)
    for _ in range(hot_dice):
        table.roll(2, 2, 2, 3, 3, 3)
        assert names(table.hold(0, 1, 2, 3, 4, 5)) == ["DiceHeld", "HotDice"]
    table.roll(2, 2, 2, 3, 3, 3)
    assert names(table.hold(0, 1, 2, 3, 4, 5)) == ["DiceHeld"]
    assert not table.step.fresh_clock
    assert table.refuses(Word.ROLL) == "only_bank_left"
    assert table.refuses(Hold((0,))) == "bad_index"
    assert table.game.choices(table.state, Seat(0)) == (Word.BANK, Word.FOLD)
    assert PointsScored(Seat(0), 500 * (hot_dice + 1), 500 * (hot_dice + 1)) in table.bank()


def test_hot_dice_come_back_with_the_next_turn() -> None:
    """A8."""
    table = Sitting(goal=100_000)
    for _ in range(2):
        table.roll(*SIX_ONES)
        table.hold(0, 1, 2, 3, 4, 5)
    table.bank()
    table.roll(*BUST)
    assert table.view.hot_dice_used == 0
    table.roll(*SIX_ONES)
    assert names(table.hold(0, 1, 2, 3, 4, 5)) == ["DiceHeld", "HotDice"]


def test_nothing_but_a_new_turn_and_hot_dice_starts_the_clock_afresh() -> None:
    """A9."""
    table = Sitting()
    assert table.step.fresh_clock
    table.act(Word.ROLL)
    assert not table.step.fresh_clock
    table = Sitting()
    table.roll(1, 1, 2, 3, 4, 6)
    assert not table.step.fresh_clock
    table.hold(0)
    assert not table.step.fresh_clock
    table.bank()
    assert table.step.fresh_clock


def test_a_time_out_is_a_bust() -> None:
    """A9."""
    table = Sitting()
    table.roll(1, 1, 2, 3, 4, 6)
    table.hold(0, 1)
    assert names(table.expire()) == ["TurnTimedOut", "TurnEnded", "TurnStarted"]
    assert table.view.scores == (0, 0)
    assert table.on_turn == 1
    assert table.step.fresh_clock


def test_a_time_out_is_for_the_seat_on_turn_only() -> None:
    """A9."""
    assert Sitting().refused(Expired(Seat(1))) == "not_your_turn"


def test_banking_adds_the_points_and_passes_the_turn() -> None:
    """A10."""
    table = Sitting()
    table.roll(1, 1, 1, 2, 3, 4)
    table.hold(0, 1, 2)
    assert PointsScored(Seat(0), 1000, 1000) in table.bank()
    table.earn_100()
    assert table.view.scores == (1000, 100)
    table.earn_100()
    assert table.view.scores == (1100, 100)


@pytest.mark.parametrize(("goal", "won"), [(4000, True), (4001, False)])
def test_the_first_to_bank_to_the_goal_wins_at_once(goal: int, won: bool) -> None:
    """A10: holding it is not enough."""
    table = Sitting(3, goal=goal)
    table.roll(1, 1, 1, 1, 1, 2)
    table.hold(0, 1, 2, 3, 4)
    assert not isinstance(table.game.awaits(table.state), Over)
    table.bank()
    places = (frozenset({Seat(0)}), frozenset({Seat(1), Seat(2)}))
    assert (table.game.awaits(table.state) == Over(places, "WinnerReached5000")) == won
    assert table.step.fresh_clock != won


def test_a_finished_game_shows_no_turn_and_takes_no_entry() -> None:
    """A10."""
    table = Sitting()
    table.roll(*SIX_ONES)
    table.hold(0, 1, 2, 3, 4, 5)
    table.bank()
    view = table.view
    assert (view.turn_points, view.roll, view.held, view.dice_left) == (0, None, (), 6)
    assert (view.must_hold, view.hot_dice_used, view.scores) == (False, 0, (8000, 0))
    assert table.refused(Move(Seat(1), Word.ROLL)) == "game_finished"


def test_a_roll_shows_its_faces_as_they_fell() -> None:
    """A5."""
    table = Sitting()
    (rolled,) = table.roll(6, 1, 4, 1, 3, 2)
    assert isinstance(rolled, DiceRolled)
    assert rolled.dice_values == table.view.roll == (6, 1, 4, 1, 3, 2)
