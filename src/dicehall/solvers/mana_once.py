"""A Mana match in which every unit fights once, between two known armies (M15).

A position is the units that each side has left and the balance so far: rounds won first, then damage, as one number.
More balance is never worse, whatever is left. So for each pair of sets of units there is a balance from which the match
is won even if every pick is shown beforehand, and one below which it is lost even if the other side shows all of its
own. These two are quickly known, and settle most positions; only what lies between needs mixed strategies.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import ge, le
from typing import TypeAlias

from dicehall.games.mana.combat import fight
from dicehall.games.mana.units import UNITS, Army
from dicehall.solvers.mana_hopes import Hopes
from dicehall.solvers.mana_matrix import GAP, Matrix, Solved, solve_matrix
from dicehall.solvers.mana_rounds import outcome
from dicehall.solvers.mana_values import DIGITS, mixing

Units: TypeAlias = int  # a set of units: bit i stands for unit i

ALL: Units = (1 << UNITS) - 1
ROUND = 1 << 14  # of the balance: more than all damage of eight rounds
MEMBERS = [[unit for unit in range(UNITS) if units >> unit & 1] for units in range(ALL + 1)]
HOPEFUL = 4  # rounds left, up to which a lost side looks for what a careless opponent gives most


def without(spent: Sequence[int]) -> Units:
    return ALL & ~sum(1 << unit for unit in spent)


class UnitsOnce:
    """All rounds of one match; how many are left follows from the units that are."""

    def __init__(self, mine: Army, theirs: Army, rounds: int) -> None:
        self.left = [rounds - UNITS + units.bit_count() for units in range(ALL + 1)]
        fights = [[outcome(fight(unit, other)) for other in theirs] for unit in mine]
        self.balance = [[won * ROUND + dealt for won, dealt in row] for row in fights]
        self.same = mine == theirs  # then what seat 0 has here seat 1 has with the sides exchanged
        self.sure: dict[tuple[Units, Units], tuple[int, int]] = {}
        self.values: dict[tuple[Units, Units, int], float] = {}
        self.hopes = Hopes(self.balance), Hopes([[-n for n in column] for column in zip(*self.balance, strict=True)])

    def at(self, mine: Units, theirs: Units, lead: int, edge: int) -> tuple[Matrix, Solved]:
        """What seat 0 gets with each unit against each, and how often each side sends which of those it has left."""
        now = lead * ROUND + edge
        matrix = self.matrix(mine, theirs, now)
        solved = solve_matrix(matrix)
        if solved.pure:  # perhaps one of many
            solved = solve_matrix(matrix, self.leanings(mine, theirs, now))
        return matrix, solved

    def leanings(self, mine: Units, theirs: Units, now: int) -> tuple[list[float], list[float]]:
        """What decides between units that get the same: what the other side gives away if it picks at random."""
        left = self.left[mine]
        rounds = left if left <= HOPEFUL else 1
        first, second = self.hopes
        return first.of(mine, theirs, rounds, now), second.of(theirs, mine, rounds, -now)

    def matrix(self, mine: Units, theirs: Units, now: int) -> list[list[float]]:
        """What each unit gets against each, played well from the next round on."""
        goes_on, columns, found = self.left[mine] > 1, MEMBERS[theirs], []
        for unit in MEMBERS[mine]:
            rest, row = mine ^ 1 << unit, self.balance[unit]
            if goes_on:
                found.append([self.value(rest, theirs ^ 1 << other, now + row[other]) for other in columns])
            else:
                found.append([result(now + row[other]) for other in columns])
        return found

    def value(self, mine: Units, theirs: Units, now: int) -> float:
        """What seat 0 gets. All the time goes into these lines."""
        least, most = self.sure.get((mine, theirs)) or self.bounds(mine, theirs)
        if now + least > 0:
            return 1.0
        if now + most < 0:
            return 0.0
        if now + least == now + most == 0:
            return 0.5
        found = self.values.get((mine, theirs, now))
        if found is None:
            even = self.same and mine == theirs and not now
            found = 0.5 if even else value_of(self.matrix(mine, theirs, now))
            self.values[mine, theirs, now] = found
            if self.same:
                self.values[theirs, mine, -now] = 1 - found
        return found

    def bounds(self, mine: Units, theirs: Units) -> tuple[int, int]:
        """What seat 0 can add to the balance although it shows each pick first, and if the other side does."""
        floors, ceilings = [], []
        for unit in MEMBERS[mine]:
            rest, row = mine ^ 1 << unit, self.balance[unit]
            later = [self.later(rest, theirs, other) for other in range(UNITS)]
            floors.append([row[other] + later[other][0] for other in MEMBERS[theirs]])
            ceilings.append([row[other] + later[other][1] for other in MEMBERS[theirs]])
        least, most = max(map(min, floors)), min(map(max, zip(*ceilings, strict=True)))
        self.sure[mine, theirs] = least, most
        if self.same:
            self.sure[theirs, mine] = -most, -least
        return least, most

    def later(self, rest: Units, theirs: Units, other: int) -> tuple[int, int]:
        if not self.left[rest] or not theirs >> other & 1:
            return 0, 0
        after = theirs ^ 1 << other
        return self.sure.get((rest, after)) or self.bounds(rest, after)


def result(balance: int) -> float:
    return 1.0 if balance > 0 else 0.0 if balance < 0 else 0.5


def value_of(matrix: Matrix) -> float:
    """The value of a matrix game, without the choices that nobody needs."""
    if max(map(min, matrix)) >= min(map(max, zip(*matrix, strict=True))):
        return max(map(min, matrix))
    rows = needed(matrix)
    if len(rows) == len(rows[0]) == 2:
        (a, b), (c, d) = rows
        if max(min(a, b), min(c, d)) < min(max(a, c), max(b, d)):
            return round((a * d - b * c) / (a + d - b - c), DIGITS)
    every = tuple(range(len(rows)))
    floor, ceiling = mixing(rows, every, tuple(range(len(rows[0]))))
    return round((floor + ceiling) / 2 if ceiling - floor <= GAP else solve_matrix(rows).value, DIGITS)


def needed(matrix: Matrix) -> list[tuple[float, ...]]:
    """What is left without rows that never get more than another, and columns that never give less."""
    rows = [*dict.fromkeys(map(tuple, matrix))]
    while True:
        high, wide = len(rows), len(rows[0])
        rows = [row for row in rows if not any(other is not row and all(map(ge, other, row)) for other in rows)]
        columns = [*dict.fromkeys(zip(*rows, strict=True))]
        columns = [one for one in columns if not any(two is not one and all(map(le, two, one)) for two in columns)]
        rows = [*dict.fromkeys(zip(*columns, strict=True))]
        if (len(rows), len(columns)) == (high, wide):
            return rows
