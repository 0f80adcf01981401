"""What many games say of a number, and how sure that is: 95 % intervals that are honest for few games, too."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

Z = 1.959964  # standard errors on either side of a 95 % interval


@dataclass(frozen=True, slots=True)
class Interval:
    """A number that was counted, and the range in which the true one lies in 95 of 100 such counts."""

    value: float
    low: float
    high: float

    @property
    def stderr(self) -> float:
        """The standard error that the width stands for; infinite, and null in JSON, where one game cannot tell."""
        return (self.high - self.low) / (2 * Z)


def known(value: float) -> Interval:
    """A number that is exact."""
    return Interval(value, value, value)


def share_of(total: float, games: int) -> Interval:
    """A share of games, by Wilson's score interval: one won game of one gives 20.7 to 100 %, not 100 % for certain.

    Games that are shared, such as draws, spread less than won and lost ones, so that for them it is a little too wide.
    """
    share = total / games
    middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return Interval(share, min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half)))


def mean_of(total: float, squares: float, games: int) -> Interval:
    """A mean of something that has no largest value; one game says nothing of how much it varies."""
    mean = total / games
    if games < 2:
        return Interval(mean, -inf, inf)
    half = Z * sqrt(max(squares - total * mean, 0.0) / (games - 1) / games)
    return Interval(mean, mean - half, mean + half)
