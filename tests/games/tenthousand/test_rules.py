"""Dice 10 000: refusals in order, choices, readings and house rules."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from dicehall.core.fold import play, replay
from dicehall.core.game import Dice, Entry, Expired, Move, Over, Refused, Roll, Seat, Unknown
from dicehall.core.house import BadRule, house_rules, with_rules
from dicehall.games.tenthousand.actions import Lock, Word
from dicehall.games.tenthousand.events import Won, Yielded
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.games.tenthousand.scoring import TABLE
from tests.games.tenthousand.sitting import Sitting


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (Roll((1,) * 6), "no_dice_awaited"),
        (Move(Seat(2), Word.ROLL), "no_such_seat"),
        (Move(Seat(1), Unknown("x")), "not_your_turn"),
        (Expired(Seat(1)), "not_your_turn"),
        (Move(Seat(0), Unknown("x")), "bad_move"),
        (Move(Seat(0), Lock(())), "nothing_rolled"),
        (Move(Seat(0), Lock(((2,),))), "nothing_rolled"),
        (Move(Seat(0), Word.YIELD), "must_lock"),
    ],
)
def test_refusals_in_their_order(entry: Entry[Any], code: str) -> None:
    """C2, T6."""
    assert Sitting().refused(entry).code == code


def test_an_unanswered_roll_comes_before_the_opening() -> None:
    """T6, T7."""
    table = Sitting()
    table.roll(1, 2, 3, 4, 6, 6)
    assert table.refuses(Word.YIELD) == "must_lock"
    table.lock((1,))
    assert table.refuses(Word.YIELD) == "below_opening"


def test_choices_are_exactly_what_would_be_accepted() -> None:
    """T2-T7: in random games, every grouping of up to six dice has been tried."""
    pieces = [row for row, _ in TABLE.rows]
    groupings = [some for size in range(1, 7) for some in combinations_with_replacement(pieces, size)]
    every = [*Word, *(Lock(some) for some in groupings if sum(map(len, some)) <= 6)]
    chance, table = Random(5), Sitting(2, opening=300)
    for _ in range(60):
        awaited = table.game.awaits(table.state)
        if isinstance(awaited, Dice):
            table.play(Roll(tuple(chance.randint(1, 6) for _ in awaited.sides)))
            continue
        choices = table.game.choices(table.state, table.state.seat)
        assert len(set(choices)) == len(choices)
        assert set(choices) == {action for action in every if accepts(table, action)}
        table.act(chance.choice(choices))


def test_others_are_offered_nothing() -> None:
    table = Sitting()
    assert table.game.choices(table.state, Seat(0)) == (Word.ROLL,)
    assert table.game.choices(table.state, Seat(1)) == ()
    table.act(Word.ROLL)
    assert table.game.choices(table.state, Seat(0)) == ()


def test_readings_list_every_grouping() -> None:
    """T3: best first, then fewer dice, then by faces."""
    assert TenThousand().readings((1, 2, 1, 5)) == (
        (((1,), (1,), (5,)), 250),
        (((1, 1), (5,)), 250),
        (((1,), (1,)), 200),
        (((1, 1),), 200),
        (((1,), (5,)), 150),
        (((1,),), 100),
        (((5,),), 50),
    )
    assert TenThousand().readings((2, 2, 3, 3, 4, 4)) == ()
    assert TenThousand().readings((4, 4, 4, 4, 4, 4))[0] == (((4,) * 6,), 3600)


def test_events_alone_give_scores_and_places() -> None:
    """C3, T8: and the log alone gives the same state."""
    chance, log, told = Random(3), list[Entry[Any]](), list[Any]()
    game = TenThousand(goal=3000, opening=350)
    state = game.start(3)
    while not isinstance(awaited := game.awaits(state), Over):
        if isinstance(awaited, Dice):
            log.append(Roll(tuple(chance.randint(1, 6) for _ in awaited.sides)))
        else:
            log.append(Move(state.seat, chance.choice(game.choices(state, state.seat))))
        step = play(game, state, log[-1])
        state, told = step.state, [*told, *step.events]
    scores = dict.fromkeys(range(3), 0) | {one.seat: one.score for one in told if isinstance(one, Yielded)}
    assert tuple(scores.values()) == state.scores
    assert isinstance(told[-1], Won)
    assert tuple(map(frozenset, told[-1].places)) == awaited.places
    assert replay(game, 3, log) == state


def test_house_rules_and_their_defaults() -> None:
    """C6, T7-T9."""
    rules = [(rule.name, rule.default, rule.least, rule.optional) for rule in house_rules(TenThousand)]
    assert rules == [("goal", 10_000, 1, False), ("opening", 1000, 0, False), ("turn_seconds", None, 1, True)]


@pytest.mark.parametrize("rules", [{"goal": 0}, {"opening": -1}, {"opening": None}, {"turn_seconds": 0}, {"table": 1}])
def test_a_house_rule_that_makes_no_sense(rules: dict[str, Any]) -> None:
    """C6."""
    with pytest.raises(BadRule):
        with_rules(TenThousand, rules)


def test_how_a_hall_runs_it() -> None:
    """T9, C12."""
    assert (TenThousand().policy.starts, TenThousand().policy.clock_seconds) == ("asked", None)
    assert (TenThousand(turn_seconds=9).policy.clock, TenThousand(turn_seconds=9).policy.clock_seconds) == ("turn", 9)
    assert not TenThousand().policy.grace


@pytest.mark.parametrize("seats", [0, 1, 13])
def test_two_to_twelve_seats(seats: int) -> None:
    """T1."""
    with pytest.raises(BadRule, match="2 to 12"):
        TenThousand().start(seats)
    assert TenThousand().start(12).scores == (0,) * 12


def test_spectators_and_seats_see_the_same() -> None:
    table = Sitting()
    table.roll(1, 1, 2, 3, 4, 6)
    assert table.game.view(table.state, None) == table.game.view(table.state, Seat(1))


def accepts(table: Sitting, action: Word | Lock) -> bool:
    try:
        play(table.game, table.state, Move(table.state.seat, action))
    except Refused:
        return False
    return True
