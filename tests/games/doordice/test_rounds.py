"""Rounds, their bonus, and the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.fold import replay
from dicehall.core.game import Attend, Dice, Move, Over, Presence, Roll, Seat
from dicehall.core.house import BadRule, with_rules
from dicehall.games.doordice.events import GameEnded, RoundEnded, RoundStarted
from dicehall.games.doordice.rules import DoOrDice, Word
from tests.games.doordice.playing import GAME, JUST_VOID, START, Table


def test_five_seats_start_with_twenty_hit_points_and_no_points() -> None:
    """D1."""
    view = GAME.view(START, None)
    assert (view.hp, view.vp, view.round) == ((20,) * 5, (0,) * 5, 1)
    assert (view.fallen_rounds, view.last_targets) == ((0,) * 5, (None,) * 5)


@pytest.mark.parametrize("seats", [0, 1, 4, 6])
def test_other_than_five_seats_cannot_play(seats: int) -> None:
    """D1."""
    with pytest.raises(BadRule, match="exactly 5"):
        GAME.start(seats)


def test_seats_act_once_a_round_in_seat_order() -> None:
    """D1."""
    table = Table()
    seats = []
    for _ in range(10):
        seats.append(table.seat)
        table.turn(5)
    assert seats == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]
    assert GAME.view(table.state, None).round == 3


def test_a_hall_seats_people_in_a_drawn_order_and_starts_when_full() -> None:
    """D1, C12."""
    assert (GAME.policy.drawn, GAME.policy.starts) == (True, "full")


def test_the_living_get_a_point_at_the_end_of_a_round() -> None:
    """D8."""
    table = Table(hp=(20, 20, 0, 20, -2), vp=(0, 3, 4, 0, 1)).turns(5, 5, JUST_VOID, 5, JUST_VOID)
    assert table.state.vp == (1, 4, 4, 1, 1)
    assert table.state.fallen_rounds == (0, 0, 1, 0, 1)
    ended = table.only(RoundEnded)
    assert (ended.round, ended.alive, ended.points) == (1, (0, 1, 3), 1)
    assert (ended.vp, ended.fallen_rounds) == (table.state.vp, table.state.fallen_rounds)


def test_who_falls_during_a_round_gets_no_bonus_for_it() -> None:
    """D8, D9."""
    table = Table(hp=(20, 20, 20, 20, 3)).turns(5, 5, 5, 5, 1)
    assert table.state.vp == (1, 1, 1, 1, 0)
    assert table.state.fallen_rounds == (0, 0, 0, 0, 1)


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_the_game_ends_after_its_rounds(rounds: int) -> None:
    """D1, C6."""
    table = Table(DoOrDice(rounds=rounds), hp=(5, 4, 3, 2, 1))
    for _ in range(rounds):
        assert table.all(GameEnded) == []
        table.turns(5, 5, 5, 5, 5)
    assert [started.round for started in table.all(RoundStarted)] == list(range(1, rounds + 1))
    assert table.game.view(table.state, None).round == rounds
    assert table.state.vp == (rounds,) * 5


def test_the_end_tells_the_places_and_why() -> None:
    """D8, D9."""
    table = Table(hp=(15, 14, 13, 12, 11), vp=(0, 0, 7, 0, 0), round=6).turns(5, 5, 5, 5, 5)
    ended = table.only(GameEnded)
    assert (ended.reason, ended.winner, ended.ranking) == ("rounds", 2, (2, 0, 1, 3, 4))
    assert (ended.places, ended.round) == (((2,), (0,), (1,), (3,), (4,)), 6)
    assert (ended.vp, ended.hp) == ((1, 1, 8, 1, 1), (18, 17, 16, 15, 14))
    assert GAME.awaits(table.state) == Over(tuple(frozenset({seat}) for seat in ended.ranking), "rounds")


def test_a_new_turn_asks_for_a_new_deadline_and_nothing_else_does() -> None:
    table = Table().turn(2, "jab", 1)
    assert table.fresh == [False, False, True]
    assert table.turn(5).fresh[3:] == [False, True]


def test_the_first_turn_of_a_round_asks_for_one_too() -> None:
    assert Table(seat=4).turn(5).fresh == [False, True]


def test_the_end_asks_for_no_deadline() -> None:
    table = Table(hp=(15, 14, 13, 12, 1), round=6, seat=4).turn(5)
    assert table.fresh == [False, False]


def test_absence_changes_nothing() -> None:
    """C9."""
    for presence in Presence:
        table = Table().enter(Attend(Seat(0), presence))
        assert (table.state, table.told, table.fresh) == (START, [], [False])


def test_a_roll_waits_for_its_dice_and_says_whose_they_are() -> None:
    """C7."""
    state = Table().enter(Move(Seat(0), Word.ROLL)).state
    assert GAME.awaits(state) == Dice((6,), by=frozenset({Seat(0)}))
    assert GAME.choices(state, Seat(0)) == ()


def test_replaying_a_log_gives_the_same_state() -> None:
    """C3."""
    log: list[Any] = [entry for seat in range(5) for entry in (Move(Seat(seat), Word.ROLL), Roll((5,)))]
    assert replay(GAME, 5, log) == Table().turns(5, 5, 5, 5, 5).state


@pytest.mark.parametrize("name", ["hp", "rounds", "elimination_vp", "survival_vp", "turn_seconds"])
@pytest.mark.parametrize("number", [-1, True, 1.5, "6"])
def test_house_rules_are_whole_numbers_in_their_range(name: str, number: Any) -> None:
    """C6."""
    with pytest.raises(BadRule, match=name):
        with_rules(DoOrDice, {name: number})


@pytest.mark.parametrize("name", ["hp", "rounds", "turn_seconds"])
def test_zero_is_too_little_for_what_a_game_needs(name: str) -> None:
    """C6."""
    with pytest.raises(BadRule, match=name):
        with_rules(DoOrDice, {name: 0})


def test_bonuses_may_be_nothing_and_the_clock_none() -> None:
    """C6."""
    game = DoOrDice(elimination_vp=0, survival_vp=0, turn_seconds=None)
    table = Table(game).turns(5, 5, 5, 5, 5)
    assert table.state.vp == (0, 0, 0, 0, 0)
    assert (GAME.policy.clock, GAME.policy.clock_seconds) == ("turn", None)
    assert DoOrDice(turn_seconds=20).policy.clock_seconds == 20


def test_house_hit_points_are_the_start_and_the_cap() -> None:
    """C6, D10."""
    table = Table(DoOrDice(hp=8))
    assert table.state.hp == (8,) * 5
    assert table.turn(5).state.hp[0] == 8
