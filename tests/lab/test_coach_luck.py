"""Luck is fair: over all dice that could have fallen it comes to nothing, by counting every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import pytest

from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Move, Over, Roll
from dicehall.lab.coach import report_of
from dicehall.lab.moments import Course, Moment
from dicehall.lab.odds import rolls
from dicehall.lab.values import Values
from tests.lab.courses import course, small, solver

DEPTH = 3  # rolls


def games(game: AnyGame, moments: tuple[Moment, ...], state: Any, rolled: int) -> Iterator[tuple[float, Course]]:
    """Every game of up to so many rolls, with how likely it is; seats choose by a rule that is not a good one."""
    awaited = game.awaits(state)
    if isinstance(awaited, Over) or rolled == DEPTH:
        start = moments[0].before
        yield 1.0, Course(game, ("ann", "bo"), start, moments, state)
        return
    if isinstance(awaited, Dice):
        entries: list[Any] = [Roll(faces) for faces in product(*(range(1, sides + 1) for sides in awaited.sides))]
    else:
        seat = min(awaited.seats)
        choices = game.choices(state, seat)
        entries = [Move(seat, choices[len(moments) % 3 % len(choices)])]
    for entry in entries:
        step = play(game, state, entry)
        moment = Moment(len(moments), entry, state, step.state, step.events)
        for likely, told in games(game, (*moments, moment), step.state, rolled + isinstance(entry, Roll)):
            yield likely / len(entries), told


def test_the_luck_of_all_games_of_dice_wards_comes_to_nothing() -> None:
    game = small("wards")
    found = [(likely, report_of(told, solver("wards"))) for likely, told in games(game, (), game.start(2), 0)]
    assert len(found) == 6**DEPTH
    assert sum(likely for likely, _ in found) == pytest.approx(1)
    assert max(abs(report.seats[0].luck) for _, report in found) > 0.2
    for seat in range(2):
        assert sum(likely * report.seats[seat].luck for likely, report in found) == pytest.approx(0, abs=1e-12)
        results = sum(likely * report.seats[seat].result for likely, report in found)
        adjusted = sum(likely * report.seats[seat].adjusted for likely, report in found)
        assert adjusted == pytest.approx(results, abs=1e-12)


@pytest.mark.parametrize("key", ["wards", "aetharn", "tenthousand"])
def test_each_roll_is_worth_the_mean_of_all_it_can_show(key: str) -> None:
    game = small(key)
    values = Values(game, solver(key))
    thrown = {moment.before for seed in range(20) for moment in course(game, 2, seed, 0.0).moments}
    looked = 0
    for state in thrown:
        awaited = game.awaits(state)
        if isinstance(awaited, Dice) and awaited.by:
            before = values.of(state)
            after = [
                (likely, values.of(play(game, state, Roll(faces)).state)) for faces, likely in rolls(awaited.sides)
            ]
            assert len(after) > 5
            for seat in range(2):
                mean = sum(likely * chances[seat].value for likely, chances in after)
                assert mean == pytest.approx(before[seat].value, abs=1e-12)
            looked += 1
    assert looked > 8


def test_the_drawn_order_of_aetharn_is_fair_luck() -> None:
    game = small("aetharn")
    values, start = Values(game, solver("aetharn")), game.start(2)
    awaited = game.awaits(start)
    assert isinstance(awaited, Dice)
    assert prod(awaited.sides) == 2
    after = [values.of(play(game, start, Roll((face,))).state) for face in (1, 2)]
    assert after[0][0].value > after[1][0].value
    for seat in range(2):
        assert sum(chances[seat].value for chances in after) / 2 == pytest.approx(values.of(start)[seat].value)


def test_how_picks_meet_is_luck_and_comes_to_nothing_against_the_mix() -> None:
    """Whatever seat 0 sends: over what seat 1 sends by its mix, the luck of the meeting is none."""
    game, known = small("mana"), solver("mana")
    for seed in range(60):
        start = course(game, 2, seed, 0.0).moments[0].after
        mix = known.mix(game.view(start, None), 1)  # type: ignore[attr-defined]
        if sum(often > 1e-6 for often in mix) > 1:
            break
    else:
        raise AssertionError("no match with a mix was drawn")
    for sent in range(8):
        luck = 0.0
        for answer, often in enumerate(mix):
            luck += often * meeting(game, start, sent, answer)
        assert luck == pytest.approx(0, abs=1e-9)


def meeting(game: AnyGame, start: Any, sent: int, answer: int) -> float:
    moments: tuple[Moment, ...] = ()
    state = start
    for seat, unit in ((0, sent), (1, answer)):
        move = Move(seat, game.choices(state, seat)[unit])  # type: ignore[arg-type]
        after = play(game, state, move).state
        moments += (Moment(len(moments), move, state, after, ()),)
        state = after
    report = report_of(Course(game, ("ann", "bo"), start, moments, state), solver("mana"))
    return report.seats[0].luck
