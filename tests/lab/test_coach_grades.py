"""Grades go by contested decisions: random play is called random and perfect play excellent, in every game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Move, Over, Roll, Seat
from dicehall.games import catalogue
from dicehall.lab.coach import Report, report_of
from dicehall.lab.moments import Course, Moment
from dicehall.lab.simulating import thrown
from dicehall.lab.telling import grade, told, with_average_luck
from dicehall.solvers.answers import Solver
from dicehall.solvers.doordice import DoOrDiceSolver
from dicehall.solvers.finding import find

ROLLOUTS = 60  # for each choice in DO or DICE
GAMES = ["wards", "aetharn", "tenthousand", "mana", pytest.param("doordice", marks=pytest.mark.proof)]
RULES: dict[str, dict[str, int]] = {"aetharn": {"goal": 1000}, "tenthousand": {"goal": 1500, "opening": 500}}

Chooser = Callable[[Any, Seat], Any]


def solver_of(game: AnyGame) -> Solver:
    found = DoOrDiceSolver(game, ROLLOUTS) if game.key == "doordice" else find(game, 2, solve=True)  # type: ignore[arg-type]
    assert found is not None
    return found


def reported(key: str, seed: int, *, perfect: bool) -> Report:
    game: AnyGame = catalogue()[key](**RULES.get(key, {}))
    solver, chance = solver_of(game), Random(seed)

    def choose(state: Any, seat: Seat) -> Any:
        choices = game.choices(state, seat)
        staying = [action for action in choices if not game.anytime(action)]
        if not perfect or len(staying) < 2:
            return chance.choice(staying)
        return max(solver.worths(game.view(state, seat), seat, choices), key=lambda one: one.chance.value).action

    return report_of(played(game, chance, choose), solver)


def played(game: AnyGame, chance: Random, choose: Chooser) -> Course:
    seats = type(game).seats[0]
    start = state = game.start(seats)
    moments: list[Moment] = []
    while not isinstance(awaited := game.awaits(state), Over):
        if isinstance(awaited, Dice):
            entry: Any = Roll(thrown(awaited.sides, chance))
        else:
            seat = min(awaited.seats)
            entry = Move(seat, choose(state, seat))
        step = play(game, state, entry)
        moments.append(Moment(len(moments), entry, state, step.state, step.events))
        state = step.state
    return Course(game, tuple(f"P{seat}" for seat in range(seats)), start, tuple(moments), state)


@pytest.mark.parametrize("key", GAMES)
def test_random_play_is_graded_as_random_or_weak(key: str) -> None:
    games = 25 if key == "mana" else 4  # a match has few picks that matter
    seats = [seat for seed in range(games) for seat in reported(key, seed, perfect=False).seats if seat.contested]
    assert seats
    skills = [seat.skill for seat in seats if seat.skill is not None]
    assert sum(skills) / len(skills) < 0.45, skills
    assert sum(grade(seat) in ("random", "weak") for seat in seats) >= 0.6 * len(seats)


@pytest.mark.parametrize("key", GAMES)
def test_perfect_play_is_graded_as_excellent(key: str) -> None:
    seats = [seat for seed in range(2) for seat in reported(key, seed, perfect=True).seats]
    assert any(seat.contested for seat in seats)
    assert {grade(seat) for seat in seats} <= {"excellent", "not graded"}


def test_the_number_of_contested_decisions_is_told() -> None:
    report = reported("wards", 1, perfect=True)
    seat = report.seats[0]
    assert 0 < seat.contested < seat.decisions
    assert any(f"{seat.decisions} decisions, {seat.contested} contested" in said.text for said in told(report))


@pytest.mark.parametrize(
    ("adjusted", "said"),
    [
        (-0.4, "such play loses even with average luck"),
        (1.3, "such play wins with average luck"),
        (0.161, "with average luck, such play wins 16.1 % of games like this"),
    ],
)
def test_a_result_without_luck_is_a_share_of_games_or_said_in_words(adjusted: float, said: str) -> None:
    assert with_average_luck(adjusted, "") == said
