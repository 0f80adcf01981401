"""The rounds of a Mana match between two known armies, solved from the last one backwards.

Units are fresh every round, so a position is the rounds left, who is ahead in rounds, and by how much in damage.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from dicehall.games.mana.combat import fight
from dicehall.games.mana.rules import goes_on, result
from dicehall.games.mana.state import SEATS, Pair
from dicehall.games.mana.units import U8, Army
from dicehall.solvers.answers import share
from dicehall.solvers.mana_matrix import Solved, solve_matrix

WON = {None: 0, 0: 1, 1: -1}


class Stand(NamedTuple):
    """Where a match stands, as seat 0 sees it."""

    left: int  # rounds, the open one counted
    lead: int  # in rounds won
    edge: int  # in damage dealt


class Rounds:
    def __init__(self, mine: Army, theirs: Army) -> None:
        fights = [[outcome(fight(unit, other).winner, fight(unit, other).damage) for other in theirs] for unit in mine]
        self.outcomes = sorted({fought for row in fights for fought in row})
        number = {fought: at for at, fought in enumerate(self.outcomes)}
        self.places = [[number[fought] for fought in row] for row in fights]
        self.swing = max(abs(edge) for _, edge in self.outcomes)  # the most damage a round can give or take
        self.leanings = [*map(sum_of, fights)], [-sum_of(column) for column in zip(*fights, strict=True)]
        self.solved: dict[Stand, Solved] = {}

    def at(self, stand: Stand) -> Solved:
        """What seat 0 gets from here, and how often each side sends which unit."""
        stand = self.plain(stand)
        if stand not in self.solved:
            for layer in reversed(self.layers(stand)):
                for known in layer - self.solved.keys():
                    self.solved[known] = solve_matrix(self.matrix(known), self.leanings)
        return self.solved[stand]

    def layers(self, stand: Stand) -> list[set[Stand]]:
        """Every position that can follow, round by round."""
        layers = [{stand}]
        while following := {after for known in layers[-1] for after in self.following(known) if open_still(after)}:
            layers.append(following)
        return layers

    def following(self, stand: Stand) -> list[Stand]:
        left, lead, edge = stand
        left -= 1
        most = self.swing * left + 1
        return [
            Stand(left, lead + won, most if edge + dealt > most else max(-most, edge + dealt))
            for won, dealt in self.outcomes
        ]

    def plain(self, stand: Stand) -> Stand:
        """An edge that the rounds left cannot turn is like any other such edge."""
        most = self.swing * stand.left + 1
        return stand._replace(edge=max(-most, min(most, stand.edge)))

    def matrix(self, stand: Stand) -> list[list[float]]:
        """What each unit gets against each, played well from the next round on."""
        gets = [self.solved[after].value if open_still(after) else ended(after) for after in self.following(stand)]
        return [[gets[at] for at in row] for row in self.places]


def sum_of(fights: Sequence[tuple[int, int]]) -> int:
    """How a unit does against all it may meet: rounds first."""
    return sum(won * U8 + dealt for won, dealt in fights)


def outcome(winner: int | None, damage: Pair[int]) -> tuple[int, int]:
    return WON[winner], damage[0] - damage[1]


def open_still(stand: Stand) -> bool:
    return lasts(stand.left, stand.lead)


def ended(stand: Stand) -> float:
    return WORTH[sign(stand.lead), sign(stand.edge)]


def sign(lead: int) -> int:
    return (lead > 0) - (lead < 0)


def pair(lead: int) -> Pair[int]:
    return (lead, 0) if lead > 0 else (0, -lead)


@cache
def lasts(left: int, lead: int) -> bool:
    return goes_on(pair(lead), left)


SIGNS = (-1, 0, 1)
WORTH = {(lead, edge): share(result(pair(lead), pair(edge)), SEATS[0]) for lead in SIGNS for edge in SIGNS}
