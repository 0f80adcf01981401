"""One turn of Farkle's kin played for the most points: worked out from the rules, in a tenth of a second.

Where a turn stands is told by the points so far, the dice left, and how often all dice may be thrown again. Banking is
worth its points, but none beyond the goal; a bust is worth nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Any, TypeAlias

from dicehall.core.game import Faces
from dicehall.solvers.throws import throws_of

DICE = 6
FAR = 6000  # points from which on a turn is not looked at: keep them if it is allowed
MANY = 3  # more throws of all dice than this in one turn hardly happen
NEVER = -1.0  # worth less than a bust: what is not allowed
Options: TypeAlias = tuple[tuple[int, int], ...]  # (points, dice) set aside together: only the most points for each
Roll: TypeAlias = tuple[tuple[float, Options], ...]  # (chance, options) for what can fall


@dataclass(frozen=True, slots=True)
class Stake:
    """What a turn is played for."""

    need: int  # points that win
    least: int = 0  # points from which on one may bank
    again: int = 0  # how often all dice may be thrown again
    endless: bool = False  # as often as they come


def stake(need: int, least: int, again: int | None) -> Stake:
    """What lies beyond what is looked at is all the same; None: all dice may be thrown again without end."""
    endless = again is None or again > MANY
    return Stake(min(need, FAR), min(least, FAR), 0 if again is None else min(again, MANY), endless)


class Turns:
    """The expected points of every stand of a turn, played well."""

    def __init__(self, rolls: Sequence[Roll], stake: Stake) -> None:
        self.stake = stake
        self.unit = gcd(*(points for roll in rolls for _, options in roll for points, _ in options))
        self.rolls = [[(chance, self.in_units(options)) for chance, options in roll] for roll in rolls]
        self.far = -(-max(stake.need, stake.least) // self.unit)
        self.rolling = [[[NEVER] * self.far for _ in range(DICE + 1)] for _ in range(stake.again + 1)]
        self.worths = [[[NEVER] * self.far for _ in range(DICE + 1)] for _ in range(stake.again + 1)]
        for at in reversed(range(self.far)):
            self.fill(at)

    def in_units(self, options: Options) -> Options:
        return tuple((points // self.unit, used) for points, used in options)

    def fill(self, at: int) -> None:
        """From the most points down, so that what follows a roll is known."""
        banked = self.banked(at * self.unit)
        for again, (rolling, worths) in enumerate(zip(self.rolling, self.worths, strict=True)):
            for dice in range(1, DICE + 1):
                rolling[dice][at] = self.expected(at, dice, worths)
            endless = self.stake.endless and again == self.stake.again
            if again or endless:  # all dice once more
                rolling[0][at] = self.rolling[again - (not endless)][DICE][at]
            for dice in range(DICE + 1):
                worths[dice][at] = max(banked, rolling[dice][at])

    def expected(self, at: int, dice: int, worths: list[list[float]]) -> float:
        far, unit, most = self.far, self.unit, float(self.stake.need)
        return sum(
            chance
            * max(
                worths[dice - used][at + more] if at + more < far else min(most, (at + more) * unit)
                for more, used in options
            )
            for chance, options in self.rolls[dice]
        )

    def banked(self, points: int) -> float:
        return float(min(points, self.stake.need)) if points >= self.stake.least else NEVER

    def worth(self, points: int, dice: int, again: int = 0) -> float:
        """Of having these points with these dice left, before banking or rolling."""
        at = points // self.unit
        return (
            self.worths[min(again, self.stake.again)][dice][at]
            if at < self.far
            else float(min(points, self.stake.need))
        )

    def bank(self, points: int, dice: int, again: int = 0) -> bool:
        """Whether the points are better kept than risked."""
        at = points // self.unit
        return at >= self.far or self.banked(points) >= self.rolling[min(again, self.stake.again)][dice][at]


@lru_cache(maxsize=256)
def turns_for(game: Any, stake: Stake) -> Turns:
    return Turns(rolls_of(game), stake)


@lru_cache(maxsize=8)
def rolls_of(game: Any) -> tuple[Roll, ...]:
    """For each number of dice the rolls that do not bust, those that offer the same taken together."""
    return tuple(roll_of(game.readings, dice) for dice in range(DICE + 1))


def roll_of(readings: Callable[[Faces], Iterable[tuple[tuple[Any, ...], int]]], dice: int) -> Roll:
    chances: Counter[Options] = Counter()
    for faces, ways in throws_of(dice):
        if options := options_of(readings(faces)):
            chances[options] += ways
    return tuple((count / 6**dice, options) for options, count in chances.items())


def options_of(readings: Iterable[tuple[tuple[Any, ...], int]]) -> Options:
    best: dict[int, int] = {}
    for taken, points in readings:
        used = len(taken) if all(isinstance(die, int) for die in taken) else sum(map(len, taken))
        best[used] = max(points, best.get(used, 0))
    return tuple((points, used) for used, points in sorted(best.items()))
