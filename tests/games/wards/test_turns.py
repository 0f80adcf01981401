"""Rolling, holding and winning."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from dicehall.core.fold import replay
from dicehall.core.game import Attend, Dice, Event, Move, Over, Presence, Roll, Turn
from dicehall.core.house import BadRule, with_rules
from dicehall.games.wards import rules
from dicehall.games.wards.rules import Action, Held, Lost, Rolled, Wards, Won
from tests.games.wards.playing import GAME, P1, P2, Table

P1_WINS = Over((frozenset({P1}), frozenset({P2})), "goal")
P2_WINS = Over((frozenset({P2}), frozenset({P1})), "goal")


def test_seat_0_starts_with_nothing() -> None:
    """W1."""
    state = GAME.start(2)
    assert GAME.awaits(state) == Turn(frozenset({P1}))
    view = GAME.view(state, None)
    assert (view.scores, view.round_score, view.last_roll, view.goal) == ((0, 0), 0, None, 100)


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_only_two_can_play(seats: int) -> None:
    """W1."""
    with pytest.raises(BadRule, match="exactly 2"):
        GAME.start(seats)


@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_two_to_six_is_added_and_the_same_seat_acts_again(face: int) -> None:
    """W2."""
    table = Table(round_score=10).roll(face)
    assert table.told == [Rolled(P1, face, 10 + face)]
    assert GAME.awaits(table.state) == Turn(frozenset({P1}))
    assert (table.state.round_score, table.state.scores) == (10 + face, (0, 0))


def test_a_one_loses_the_round_score_and_the_turn() -> None:
    """W2, C7."""
    table = Table(scores=(40, 30)).roll(6, 5, 1)
    assert table.told[2:] == [Rolled(P1, 1, 0), Lost(P1, 11)]
    assert GAME.awaits(table.state) == Turn(frozenset({P2}))
    assert (table.state.round_score, table.state.scores) == (0, (40, 30))


def test_a_hold_banks_and_passes() -> None:
    """W3."""
    table = Table(scores=(40, 30)).roll(6, 5).hold()
    assert table.all(Held) == [Held(P1, 11, 51, in_time=True)]
    assert (table.state.round_score, table.state.scores) == (0, (51, 30))
    assert GAME.awaits(table.state) == Turn(frozenset({P2}))


def test_a_hold_of_nothing_is_allowed_and_adds_nothing() -> None:
    """W3."""
    table = Table(scores=(40, 30), seat=P2).hold()
    assert table.told == [Held(P2, 0, 30, in_time=True)]
    assert (table.state.scores, table.state.seat) == ((40, 30), P1)


@pytest.mark.parametrize(("before", "face", "wins"), [(95, 4, False), (95, 5, True), (95, 6, True)])
def test_a_hold_at_a_hundred_or_more_wins_at_once(before: int, face: int, wins: bool) -> None:
    """W3."""
    table = Table(scores=(before, 0)).roll(face).hold()
    assert (GAME.awaits(table.state) == P1_WINS) == wins
    assert table.all(Won) == ([Won(P1, (before + face, 0))] if wins else [])


def test_the_second_seat_can_win_too() -> None:
    """W3."""
    table = Table(scores=(99, 98), seat=P2).roll(2).hold()
    assert GAME.awaits(table.state) == P2_WINS
    assert P2_WINS.winner == P2


def test_rolling_past_a_hundred_does_not_win() -> None:
    """W4."""
    table = Table(scores=(95, 0)).roll(6, 6)
    assert GAME.awaits(table.state) == Turn(frozenset({P1}))
    assert table.state.round_score == 12
    assert GAME.awaits(table.roll(1).state) == Turn(frozenset({P2}))
    assert table.state.scores == (95, 0)


def test_every_roll_and_hold_asks_for_a_new_deadline() -> None:
    """W5."""
    table = Table().roll(4).hold()
    assert table.fresh == [True, False, True]
    assert (GAME.policy.clock, GAME.policy.clock_seconds) == ("action", 30)


@pytest.mark.parametrize(("round_score", "scores"), [(0, (50, 20)), (17, (67, 20))])
def test_a_timeout_holds(round_score: int, scores: tuple[int, int]) -> None:
    """W6."""
    table = Table(scores=(50, 20), round_score=round_score).expire()
    assert table.told == [Held(P1, round_score, scores[0], in_time=False)]
    assert (table.state.scores, table.state.round_score, table.state.seat) == (scores, 0, P2)
    assert table.fresh == [True]


def test_a_timeout_hold_can_win() -> None:
    """W4, W6."""
    table = Table(scores=(90, 20), round_score=10).expire()
    assert GAME.awaits(table.state) == P1_WINS
    assert table.all(Won) == [Won(P1, (100, 20))]


def test_after_its_timeout_a_seats_action_is_refused() -> None:
    """W7: the time-out is applied first."""
    table = Table(round_score=5).expire()
    assert table.code(Move(P1, Action.HOLD)) == "not_your_turn"
    assert table.state.scores == (5, 0)


def test_the_rules_take_any_number_of_expiries_in_a_row() -> None:
    """W8: putting a table to sleep is the hall's doing."""
    table = Table(scores=(3, 4))
    for turn in range(9):
        assert table.state.seat == turn % 2
        table.expire()
    assert table.state.scores == (3, 4)


def test_after_the_finish_nothing_changes_any_more() -> None:
    """W9."""
    table = Table(scores=(95, 0)).roll(5).hold()
    frozen = table.state
    for entry in (Move(P1, Action.ROLL), Move(P2, Action.HOLD), Roll((1,)), Attend(P1, Presence.AWAY)):
        assert table.code(entry) == "game_finished"
    assert table.state == frozen


def test_there_is_no_resigning() -> None:
    """W9."""
    assert [action.value for action in Action] == ["roll", "hold"]


def test_after_the_finish_no_turn_runs() -> None:
    """W9, W13."""
    view = GAME.view(Table(scores=(95, 7)).roll(5).hold().state, P2)
    assert (view.scores, view.round_score, view.last_roll) == ((100, 7), 0, 5)


def test_the_last_roll_stays_until_the_next() -> None:
    """W13."""
    table = Table().roll(4)
    assert GAME.view(table.hold().state, None).last_roll == 4
    table.enter(Move(P2, Action.ROLL))
    assert GAME.view(table.state, None).last_roll == 4
    assert GAME.view(table.enter(Roll((1,))).state, None).last_roll == 1


def test_a_roll_awaits_one_die_and_says_whose() -> None:
    """W2, C7."""
    table = Table().enter(Move(P1, Action.ROLL))
    assert GAME.awaits(table.state) == Dice((6,), by=frozenset({P1}))
    assert GAME.choices(table.state, P1) == ()


def test_the_seat_on_turn_may_always_roll_or_hold() -> None:
    """W2, W3."""
    assert GAME.choices(Table().state, P1) == (Action.ROLL, Action.HOLD)
    assert GAME.choices(Table().state, P2) == ()


def test_absence_changes_nothing() -> None:
    """C9."""
    table = Table(round_score=4)
    before = table.state
    for presence in Presence:
        table.enter(Attend(P1, presence))
    assert (table.state, table.told, table.fresh) == (before, [], [False] * 3)


def test_a_table_starts_when_its_last_seat_is_filled() -> None:
    """C12."""
    assert GAME.policy.starts == "full"
    assert not GAME.policy.drawn


def test_replaying_a_log_gives_the_same_state() -> None:
    """C3."""
    log: list[Any] = [Move(P1, Action.ROLL), Roll((4,)), Move(P1, Action.HOLD), Move(P2, Action.ROLL), Roll((6,))]
    assert replay(GAME, 2, log) == Table().roll(4).hold().roll(6).state


def test_the_goal_is_a_house_rule() -> None:
    """C6."""
    table = Table(Wards(goal=10), round_score=10).hold()
    assert table.game.awaits(table.state) == P1_WINS
    assert table.game.view(table.state, None).goal == 10


@pytest.mark.parametrize("name", ["goal", "turn_seconds"])
@pytest.mark.parametrize("number", [0, -5, True, 1.0, "9"])
def test_house_rules_are_whole_numbers_from_one(name: str, number: Any) -> None:
    """C6."""
    with pytest.raises(BadRule, match=name):
        with_rules(Wards, {name: number})


def test_only_the_clock_may_be_none() -> None:
    """C6."""
    assert Wards(turn_seconds=None).policy.clock_seconds is None
    with pytest.raises(BadRule, match="goal"):
        with_rules(Wards, {"goal": None})


def test_every_event_has_a_sentence() -> None:
    told = {name for name, kind in vars(rules).items() if isinstance(kind, type) and issubclass(kind, Event)}
    words = json.loads(files("dicehall.games.wards").joinpath("words/en.json").read_text("utf-8"))
    assert set(words) - {"about"} == told - {"Event"}
