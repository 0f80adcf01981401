"""Aetharn's events in order, its refusals in order, choices, views and house rules."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import pytest

from dicehall.core.fold import play, replay
from dicehall.core.game import Attend, Dice, Entry, Event, Expired, Move, Over, Presence, Refused, Roll, Seat, Unknown
from dicehall.core.house import BadRule, house_rules, with_rules
from dicehall.games.aetharn import events
from dicehall.games.aetharn.actions import Hold, Word
from dicehall.games.aetharn.events import DiceHeld, GameEnded, GameStarted, PointsScored, TurnStarted
from dicehall.games.aetharn.rules import Aetharn
from tests.games.aetharn.sitting import AWAY, BUST, SIX_ONES, Sitting, names

FIELDS = {
    "GameStarted": "players first_player",
    "TurnStarted": "player",
    "DiceRolled": "dice_values scoring_result",
    "DiceHeld": "held_dice_values points_from_held remaining_dice_count",
    "PointsScored": "player points_this_turn total_score",
    "PlayerBusted": "player lost_points",
    "TurnEnded": "player next_player was_bust points_banked",
    "TurnTimedOut": "player lost_points",
    "PlayerFolded": "player remaining_player_count",
    "PlayerAbsent": "player",
    "PlayerReturned": "player",
    "PlayerRemoved": "player remaining_player_count",
    "GameEnded": "winner final_standings",
    "GameAbandoned": "players",
    "HotDice": "player accumulated_points",
    "TurnSkipped": "player",
}


def test_the_events_are_those_of_the_seed_with_their_own_fields() -> None:
    """A19."""
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    told = {kind.__name__: " ".join(f.name for f in fields(kind) if f.name != "to") for kind in kinds if kind != Event}
    assert told == FIELDS


def test_the_start_tells_the_order_of_play_and_the_first_turn() -> None:
    """A1, A19."""
    table = Sitting(3, order=(3, 1))
    order = (Seat(2), Seat(0), Seat(1))
    assert table.step.events == (GameStarted(order, Seat(2)), TurnStarted(Seat(2)))
    assert table.step.fresh_clock


def test_events_come_in_the_order_the_rules_give() -> None:
    """A19."""
    table = Sitting(3)
    table.attend(1, AWAY)
    assert names(table.roll(*BUST)) == ["DiceRolled", "PlayerBusted", "TurnEnded", "TurnSkipped", "TurnStarted"]
    assert names(table.roll(*SIX_ONES)) == ["DiceRolled"]
    assert names(table.hold(0, 1, 2, 3, 4, 5)) == ["DiceHeld", "HotDice"]
    assert names(table.expire()) == ["TurnTimedOut", "TurnEnded", "TurnStarted"]
    assert names(table.earn_100()) == ["PointsScored", "TurnEnded", "TurnSkipped", "TurnStarted"]
    table.roll(*SIX_ONES)
    table.hold(0, 1, 2, 3, 4, 5)
    told = table.bank()
    assert names(told) == ["PointsScored", "TurnEnded", "GameEnded"]
    assert told[1:] == (events.TurnEnded(Seat(2), None, False, 8000), GameEnded(Seat(2), (Seat(2), Seat(0), Seat(1))))


def test_a_time_out_is_told_as_a_bust_without_a_player_busted() -> None:
    """A9, A19."""
    table = Sitting()
    table.roll(1, 1, 2, 3, 4, 6)
    table.hold(0)
    told = table.expire()
    assert told[:2] == (events.TurnTimedOut(Seat(0), 100), events.TurnEnded(Seat(0), Seat(1), True, 0))


def test_a_hold_tells_its_dice_by_position() -> None:
    """A19."""
    table = Sitting()
    table.roll(5, 2, 1, 3, 4, 6)
    assert table.hold(2, 0) == (DiceHeld((5, 1), 150, 4),)


def test_spectators_and_seats_see_the_same() -> None:
    """A17."""
    table = Sitting()
    table.roll(1, 1, 2, 3, 4, 6)
    table.hold(0)
    assert table.game.view(table.state, None) == table.game.view(table.state, Seat(1))


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (Roll((1, 1, 1, 1, 1, 1)), "no_dice_awaited"),
        (Move(Seat(9), Word.ROLL), "no_such_seat"),
        (Expired(Seat(-1)), "no_such_seat"),
        (Move(Seat(3), Unknown("x")), "seat_is_out"),
        (Move(Seat(2), Unknown("x")), "seat_is_away"),
        (Move(Seat(1), Unknown("x")), "not_your_turn"),
        (Move(Seat(1), Hold((0,))), "not_your_turn"),
        (Expired(Seat(1)), "not_your_turn"),
        (Move(Seat(0), Unknown("x")), "bad_move"),
        (Move(Seat(0), Hold(())), "nothing_rolled"),
        (Move(Seat(0), Word.BANK), "nothing_rolled"),
        (Attend(Seat(3), Presence.HERE), "seat_is_out"),
        (Attend(Seat(2), Presence.AWAY), "no_change"),
        (Attend(Seat(1), Presence.HERE), "no_change"),
        (Attend(Seat(1), Presence.GONE), "not_away"),
    ],
)
def test_refusals_in_their_order(entry: Entry[Any], code: str) -> None:
    """A13, C2: seat 0 is on turn, seat 2 is away, seat 3 is out."""
    table = Sitting(4)
    table.fold(3)
    table.attend(2, AWAY)
    assert table.refused(entry) == code


def test_nothing_comes_between_a_roll_and_its_dice() -> None:
    """C7, A1: not at the draw either."""
    rolling, drawing = Sitting(), Sitting()
    rolling.act(Word.ROLL)
    drawing.state = drawing.game.start(2)
    for table in (rolling, drawing):
        assert table.refused(Move(Seat(0), Word.ROLL)) == "awaiting_dice"
        assert table.refused(Expired(Seat(0))) == "awaiting_dice"
        assert table.refused(Attend(Seat(1), AWAY)) == "awaiting_dice"
        assert table.refused(Roll((7,))) == "wrong_dice"


def test_choices_are_exactly_what_would_be_accepted() -> None:
    """A4-A8: in random games, every hold there is has been tried."""
    chance = Random(7)
    every = [*Word, *(Hold(tuple(at for at in range(6) if bits >> at & 1)) for bits in range(64))]
    table = Sitting(3, goal=3000)
    for _ in range(150):
        awaited = table.game.awaits(table.state)
        if isinstance(awaited, Over):
            table = Sitting(3, goal=3000)
        elif isinstance(awaited, Dice):
            table.play(Roll(tuple(chance.randint(1, n) for n in awaited.sides)))
        else:
            choices = table.game.choices(table.state, table.on_turn)
            assert len(set(choices)) == len(choices)
            assert set(choices) == {action for action in every if accepts(table, action)}
            table.act(chance.choice([choice for choice in choices if choice is not Word.FOLD]))


def test_others_are_offered_nothing() -> None:
    table = Sitting()
    assert table.game.choices(table.state, Seat(0)) == (Word.ROLL, Word.FOLD)
    assert table.game.choices(table.state, Seat(1)) == ()
    table.act(Word.ROLL)
    assert table.game.choices(table.state, Seat(0)) == ()


def test_scores_can_be_rebuilt_from_events() -> None:
    """C3, A19: and the log alone gives the same state."""
    chance, log, scores = Random(11), list[Entry[Any]](), {0: 0, 1: 0, 2: 0}
    game = Aetharn(goal=2000)
    state = game.start(3)
    while not isinstance(awaited := game.awaits(state), Over):
        if isinstance(awaited, Dice):
            log.append(Roll(tuple(chance.randint(1, n) for n in awaited.sides)))
        else:
            (seat,) = awaited.seats
            log.append(Move(seat, chance.choice([one for one in game.choices(state, seat) if one is not Word.FOLD])))
        step = play(game, state, log[-1])
        state = step.state
        scores |= {event.player: event.total_score for event in step.events if isinstance(event, PointsScored)}
    assert tuple(scores.values()) == state.scores
    assert replay(game, 3, log) == state


def test_house_rules_and_their_defaults() -> None:
    """C6, A1, A8, A9, A12."""
    rules = [(rule.name, rule.default, rule.least, rule.optional) for rule in house_rules(Aetharn)]
    assert rules == [
        ("goal", 5000, 1, False),
        ("turn_seconds", 30, 1, True),
        ("grace_seconds", 60, 1, False),
        ("hot_dice", 1, 0, False),
    ]


@pytest.mark.parametrize(
    "rules",
    [
        {"goal": 0},
        {"goal": None},
        {"turn_seconds": 0},
        {"grace_seconds": 0},
        {"grace_seconds": None},
        {"hot_dice": -1},
        {"hot_dice": True},
        {"goal": "5000"},
        {"table": 1},
    ],
)
def test_a_house_rule_that_makes_no_sense(rules: dict[str, Any]) -> None:
    """C6."""
    with pytest.raises(BadRule):
        with_rules(Aetharn, rules)


def test_how_a_hall_runs_it() -> None:
    """A9, A12, C12."""
    policy = Aetharn(turn_seconds=None, grace_seconds=10).policy
    assert (policy.starts, policy.clock, policy.clock_seconds) == ("asked", "turn", None)
    assert (policy.grace, policy.grace_seconds) == (True, 10)
    assert Aetharn().policy.clock_seconds == 30


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_two_to_six_seats(seats: int) -> None:
    """A1."""
    with pytest.raises(BadRule, match="2 to 6"):
        Aetharn().start(seats)
    assert [len(Aetharn().start(n).scores) for n in range(2, 7)] == [2, 3, 4, 5, 6]


def accepts(table: Sitting, action: Word | Hold) -> bool:
    try:
        play(table.game, table.state, Move(table.on_turn, action))
    except Refused:
        return False
    return True
