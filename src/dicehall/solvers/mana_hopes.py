"""What a side that loses against perfect play can still hope for: an opponent who picks at random."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

POSITIONS = 50_000  # that are remembered


class Hopes:
    """The balance of each unit against each, as one side sees it; sets of units are bits."""

    def __init__(self, balance: Sequence[Sequence[int]]) -> None:
        self.balance = balance
        self.most = max(abs(number) for row in balance for number in row)
        self.best = lru_cache(maxsize=POSITIONS)(self.best_of)

    def of(self, mine: int, theirs: int, left: int, now: int) -> list[float]:
        """What each unit that is left gets on average if the other side picks at random from here on."""
        return [self.average(unit, mine, theirs, left, now) for unit in members(mine)]

    def average(self, unit: int, mine: int, theirs: int, left: int, now: int) -> float:
        row, rest, others = self.balance[unit], mine ^ 1 << unit, members(theirs)
        if left == 1:
            return sum([sign(now + row[other]) for other in others]) / len(others)
        return sum([self.best(rest, theirs ^ 1 << other, left - 1, now + row[other]) for other in others]) / len(others)

    def best_of(self, mine: int, theirs: int, left: int, now: int) -> float:
        if abs(now) > left * self.most:  # it cannot be turned any more
            return sign(now)
        return max(self.of(mine, theirs, left, now))


def members(units: int) -> list[int]:
    return [unit for unit in range(units.bit_length()) if units >> unit & 1]


def sign(balance: int) -> float:
    return float((balance > 0) - (balance < 0))
