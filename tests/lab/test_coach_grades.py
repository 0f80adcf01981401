"""Grades go by contested decisions: random play is called random and perfect play excellent, in every game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Move, Over, Roll, Seat
from dicehall.games import catalogue
from dicehall.lab.coach import Report, report_of, skill_of
from dicehall.lab.decisions import Decision
from dicehall.lab.grades import grade, grade_of
from dicehall.lab.moments import Course, Moment
from dicehall.lab.simulating import thrown
from dicehall.lab.telling import told
from dicehall.solvers.answers import Estimate, Solver
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


def skill_over(reports: Sequence[Report]) -> float:
    """The skill of all seats over several games, as of one long game."""
    decisions = [line.decision for report in reports for line in report.lines if line.decision and line.decision.real]
    skill = skill_of(decisions)
    assert skill is not None
    return skill


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=pytest.mark.proof) if key in ("aetharn", "mana") else key for key in GAMES]
)
def test_random_play_is_graded_as_random(key: str) -> None:
    games = 10 if key == "mana" else 5  # a match has few picks that matter
    reports = [reported(key, seed, perfect=False) for seed in range(games)]
    assert grade_of(skill_over(reports)) == "random"


def test_one_game_is_enough_to_call_random_play_random_in_dice_wards() -> None:
    """Of 800 random seats 98 % are called random, for some sixty decisions of a game are contested."""
    seats = [seat for seed in range(5) for seat in reported("wards", seed, perfect=False).seats]
    assert {grade(seat) for seat in seats} == {"random"}


@pytest.mark.parametrize("key", GAMES)
def test_perfect_play_is_graded_as_excellent(key: str) -> None:
    reports = [reported(key, seed, perfect=True) for seed in range(2)]
    assert grade_of(skill_over(reports)) == "excellent"
    assert {grade(seat) for report in reports for seat in report.seats} <= {"excellent", "not graded"}


def test_a_loss_within_the_noise_lowers_no_grade() -> None:
    """Otherwise a report says that all decisions were the best possible, and grades them weak."""
    worth = Estimate(0.2, 0.02)
    noisy = Decision("a", worth, None, (), loss=0.03, stderr=0.02, real=True, stake=0.05)
    assert skill_of([noisy]) == 1
    assert skill_of([replace(noisy, loss=0.05)]) == 0


@pytest.mark.parametrize(
    ("skill", "word"),
    [(1.0, "excellent"), (0.96, "strong"), (0.87, "decent"), (0.64, "weak"), (0.34, "random"), (-2.0, "random")],
)
def test_grades_have_these_boundaries(skill: float, word: str) -> None:
    assert grade_of(skill) == word


def test_two_contested_decisions_are_too_few_for_a_grade() -> None:
    report = reported("wards", 1, perfect=True)
    seat = replace(report.seats[0], contested=2, skill=1.0)
    assert grade(seat) == "not graded"
    assert grade(replace(seat, contested=3)) == "excellent"
    said = [one.text for one in told(replace(report, seats=(seat,)))]
    assert any("Too few of them were close calls for a grade." in line for line in said)


def test_the_number_of_contested_decisions_is_told() -> None:
    report = reported("wards", 1, perfect=True)
    seat = report.seats[0]
    assert 0 < seat.contested < seat.decisions
    assert any(f"Grade for the {seat.contested} close calls: excellent." in said.text for said in told(report))
