"""The rounds of a Mana match between two known armies, solved from the last one backwards, as far as they matter.

Units are fresh every round, so a position is the rounds left, who is ahead in rounds, and by how much in damage.
Whatever the position, a round won is better than one lost, and of equals more damage is better than less: whoever plays
on in the same way stays ahead. So the outcomes of fights have one order, best last, in which most questions are settled
once for the whole match: which units are never needed, and what each side can make sure of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from dicehall.games.mana.combat import Fight, fight
from dicehall.games.mana.rules import goes_on, result
from dicehall.games.mana.state import SEATS, Pair
from dicehall.games.mana.units import U8, Army
from dicehall.solvers.answers import share
from dicehall.solvers.mana_matrix import Solved, solve_matrix
from dicehall.solvers.mana_values import Alike, undominated

WON = {None: 0, 0: 1, 1: -1}


class Stand(NamedTuple):
    """Where a match stands, as seat 0 sees it."""

    left: int  # rounds, the open one counted
    lead: int  # in rounds won
    edge: int  # in damage dealt


class Rounds:
    def __init__(self, mine: Army, theirs: Army) -> None:
        fights = [[outcome(fight(unit, other)) for other in theirs] for unit in mine]
        self.outcomes = sorted({fought for row in fights for fought in row})
        number = {fought: at for at, fought in enumerate(self.outcomes)}
        self.places = [[number[fought] for fought in row] for row in fights]
        self.swing = max(abs(edge) for _, edge in self.outcomes)  # the most damage a round can give or take
        self.leanings = [*map(sum_of, fights)], [-sum_of(column) for column in zip(*fights, strict=True)]
        self.needed = undominated(self.places)
        self.met = sorted({at for row in self.needed for at in row})
        self.floor, self.ceiling = max(map(min, self.needed)), min(map(max, zip(*self.needed, strict=True)))
        self.solved: dict[Stand, Solved] = {}
        self.values: dict[tuple[int, int, int], float] = {}  # by plain position
        self.alike = Alike()

    def at(self, stand: Stand) -> Solved:
        """What seat 0 gets from here, and how often each side sends which unit."""
        stand = self.plain(*stand)
        if stand not in self.solved:
            self.solved[stand] = solve_matrix(self.matrix(stand), self.leanings)
        return self.solved[stand]

    def matrix(self, stand: Stand) -> list[list[float]]:
        """What each unit gets against each, played well from the next round on."""
        gets = self.gets(stand, range(len(self.outcomes)))
        return [[gets[at] for at in row] for row in self.places]

    def value(self, stand: Stand) -> float:
        """What seat 0 gets from a plain position."""
        found = self.values.get(stand)
        if found is None:
            found = self.values[stand] = self.worked_out(stand) if open_still(stand) else ended(stand)
        return found

    def worked_out(self, stand: Stand) -> float:
        """What both sides can make sure of, if it is the same; else the units that are needed are mixed."""
        sure = self.gets(stand, (self.floor, self.ceiling))
        least, most = sure[self.floor], sure[self.ceiling]
        if least >= most:
            return least
        gets = self.gets(stand, self.met)
        return self.alike.value([[gets[at] for at in row] for row in self.needed])

    def gets(self, stand: Stand, numbers: Sequence[int]) -> dict[int, float]:
        """What seat 0 gets after a round with each of these outcomes. All the time goes into these lines."""
        left, lead, edge = stand
        left -= 1
        most, values, found = self.swing * left + 1, self.values, {}
        for at in numbers:
            won, dealt = self.outcomes[at]
            dealt += edge
            after = (left, lead + won, most if dealt > most else -most if dealt < -most else dealt)
            known = values.get(after)
            found[at] = self.value(Stand(*after)) if known is None else known
        return found

    def plain(self, left: int, lead: int, edge: int) -> Stand:
        """An edge that the rounds left cannot turn is like any other such edge."""
        most = self.swing * left + 1
        return Stand(left, lead, most if edge > most else -most if edge < -most else edge)


def sum_of(fights: Sequence[tuple[int, int]]) -> int:
    """How a unit does against all it may meet: rounds first."""
    return sum(won * U8 + dealt for won, dealt in fights)


def outcome(fought: Fight) -> tuple[int, int]:
    return WON[fought.winner], fought.damage[0] - fought.damage[1]


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
