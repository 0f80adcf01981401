"""Games for the coach to look at: played at random, with what can go wrong between the moves."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from dicehall.core.game import AnyGame
from dicehall.lab.moments import Course, Moment
from dicehall.solvers.answers import Solver
from dicehall.solvers.finding import find
from tests.laws.playing import GAMES, walk

SMALL: dict[str, dict[str, Any]] = {
    "wards": {"goal": 20},
    "aetharn": {"goal": 400},
    "tenthousand": {"goal": 400, "opening": 200},
    "mana": {"rounds": 2},
}


def small(key: str) -> AnyGame:
    game: AnyGame = GAMES[key](**SMALL[key])
    return game


@cache
def solver(key: str, seats: int = 2) -> Solver:
    found = find(small(key), seats, solve=True)
    assert found is not None
    return found


def course(game: AnyGame, seats: int, seed: int, unrest: float) -> Course:
    told = [
        Moment(index, walked.entry, walked.before, walked.step.state, walked.step.events)
        for index, walked in enumerate(walk(game, seats, Random(seed), unrest))
    ]
    names = tuple(f"P{seat}" for seat in range(seats))
    return Course(game, names, game.start(seats), tuple(told), told[-1].after)
