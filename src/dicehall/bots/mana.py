"""Commanders at Mana: one sends the unit that does best on average, one mixes so that nobody can gain by guessing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dicehall.bots.best import ready
from dicehall.bots.levels import always
from dicehall.core.game import Seat
from dicehall.games.mana.actions import Action, Pick
from dicehall.games.mana.combat import fight
from dicehall.games.mana.rules import View
from dicehall.games.mana.state import SEATS
from dicehall.games.mana.units import Army, Unit
from dicehall.solvers.mana import ManaSolver

WIN = 100  # points of damage that winning a round is worth


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    mine, theirs = armies(view, me)
    left = [unit for at, unit in enumerate(theirs) if at not in view.spent[1 - me]]
    return max(picks(choices), key=lambda pick: (prospect(mine[pick.unit], left), chance.random()))


@dataclass(frozen=True, slots=True)
class Exact:
    """Draws from the mixed strategy that cannot be beaten in the long run; plays greedily in very long matches."""

    game: Any

    def __call__(self, view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
        solver = ready(self.game, len(SEATS))
        if not isinstance(solver, ManaSolver):
            return greedy(view, me, choices, chance)
        mix = solver.mix(view, me)
        offered = picks(choices)
        return chance.choices(offered, [mix[pick.unit] for pick in offered])[0]

    def plays_as(self, seats: int) -> str:
        return "exact" if ready(self.game, seats) else "greedy"


def picks(choices: Sequence[Action]) -> list[Pick]:
    return [action for action in choices if isinstance(action, Pick)]


def armies(view: View, me: Seat) -> tuple[Army, Army]:
    mine, theirs = (view.units or ((), ()))[me], (view.units or ((), ()))[1 - me]
    return mine or (), theirs or ()


def prospect(unit: Unit, theirs: Sequence[Unit]) -> int:
    """The sum over all units it may meet: rounds won and lost, and the damage done and taken."""
    return sum(outcome(unit, other) for other in theirs)


def outcome(unit: Unit, other: Unit) -> int:
    fought = fight(unit, other)
    won = {None: 0, 0: WIN, 1: -WIN}[fought.winner]
    return won + fought.damage[0] - fought.damage[1]


LEVELS = {"greedy": always(greedy), "exact": Exact}
