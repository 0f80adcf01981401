"""A greedy commander: sends the unit that does best on average against every unit it may meet."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dicehall.core.game import Seat
from dicehall.games.mana.actions import Action, Pick
from dicehall.games.mana.combat import fight
from dicehall.games.mana.rules import View
from dicehall.games.mana.units import Army, Unit

WIN = 100  # points of damage that winning a round is worth


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    mine, theirs = armies(view, me)
    picks = [action for action in choices if isinstance(action, Pick)]
    return max(picks, key=lambda pick: (prospect(mine[pick.unit], theirs), chance.random()))


def armies(view: View, me: Seat) -> tuple[Army, Army]:
    mine, theirs = (view.units or ((), ()))[me], (view.units or ((), ()))[1 - me]
    return mine or (), theirs or ()


def prospect(unit: Unit, theirs: Army) -> int:
    """The sum over all units it may meet: rounds won and lost, and the damage done and taken."""
    return sum(outcome(unit, other) for other in theirs)


def outcome(unit: Unit, other: Unit) -> int:
    fought = fight(unit, other)
    won = {None: 0, 0: WIN, 1: -WIN}[fought.winner]
    return won + fought.damage[0] - fought.damage[1]


LEVELS = {"greedy": greedy}
