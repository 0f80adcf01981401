"""The shape of a race: everything about its rules that its solution depends on, in whole numbers, with a hash."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from typing import Any

from dicehall.core.game import Move, Over
from dicehall.solvers.exploring import ENOUGH, Explorer, Throw
from dicehall.solvers.programme import Plan
from dicehall.solvers.race import ME, Race, Unsolvable

MOST_SCORES = 2000  # a table of four million chances, and days of work


@dataclass(frozen=True)
class Kind:
    """One kind of throw."""

    lowest: int  # the least points it is made with
    bust: int  # in how many ways it loses the turn
    classes: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]  # ways, then (points, next kind) of each end


@dataclass(frozen=True)
class Shape:
    """Points and scores are in units."""

    unit: int
    goal: int
    scores: tuple[int, ...]  # those a turn can start with
    least: tuple[int, ...]  # by score: the least points that may be banked
    kinds: tuple[Kind, ...]  # the first throw of a turn first; an end past the last of them can only bank

    @cached_property
    def hash(self) -> str:
        return sha256(json.dumps(asdict(self), separators=(",", ":")).encode()).hexdigest()

    @cached_property
    def reach(self) -> tuple[int, ...]:
        """By score: the points from which on banking wins."""
        return tuple(max(self.goal - score, least) for score, least in zip(self.scores, self.least, strict=True))

    @cached_property
    def first(self) -> int:
        """The least score that can be banked by a seat without points."""
        return self.least[0]

    @cached_property
    def width(self) -> int:
        return len(self.kinds) + 1

    @cached_property
    def furthest(self) -> int:
        """The most points one throw can add."""
        return max((points for kind in self.kinds for _, ends in kind.classes for points, _ in ends), default=0)

    def units(self, points: int) -> int:
        units, rest = divmod(points, self.unit)
        if rest:
            raise Unsolvable(f"No game comes to {points}: all points are multiples of {self.unit}.")
        return units

    def place(self, score: int) -> int:
        """Where a score stands in the table."""
        units = self.units(score)
        place = units - self.first + 1 if units else 0
        if not (units == 0 or 0 < place < len(self.scores)):
            raise Unsolvable(f"No turn of this game begins with a score of {score}.")
        return place

    @cached_property
    def plan(self) -> Plan:
        """The shape as the programme wants it."""
        thrown = [kind.bust + sum(ways for ways, _ in kind.classes) for kind in self.kinds]
        every = [
            (ways / all_ways, ends)
            for kind, all_ways in zip(self.kinds, thrown, strict=True)
            for ways, ends in kind.classes
        ]
        return Plan(
            goal=self.goal,
            first=self.first,
            scores=list(self.scores),
            least=list(self.least),
            reach=list(self.reach),
            lowest=[kind.lowest for kind in self.kinds],
            bust=[kind.bust / all_ways for kind, all_ways in zip(self.kinds, thrown, strict=True)],
            classes=begins(len(kind.classes) for kind in self.kinds),
            weight=[chance for chance, _ in every],
            ends=begins(len(ends) for _, ends in every),
            jump=[points * self.width + kind for _, ends in every for points, kind in ends],
        )


def begins(lengths: Iterable[int]) -> list[int]:
    """Where each of several rows begins that lie one after the other, and where the last one ends."""
    return [0, *accumulate(lengths)]


@dataclass(frozen=True)
class Explored:
    """The shape of a race, and the explorer that found it and still knows which throw is which."""

    shape: Shape
    explorer: Explorer
    numbers: Mapping[Hashable, int]  # of the kinds of throws

    def number(self, kind: Hashable) -> int:
        """Of a kind that no turn gets to before it wins: as if only banking were left."""
        return self.numbers.get(kind, len(self.numbers))


def explore(race: Race[Any]) -> Explored:
    """Ask the rules everything."""
    explorer = Explorer(race)
    rested = explorer.rest()
    goal = lowest_of(lambda total: wins(race, rested, total))
    least = lowest_of(lambda points: banks(race, rested, 0, points))
    throws = explorer.throws(max(goal, least))
    unit = explorer.unit
    first, last = -(-least // unit), -(-goal // unit)
    if last - first > MOST_SCORES:
        raise Unsolvable(f"The goal is too far away to solve: {last - first} scores, and {MOST_SCORES} are the most.")
    scores = (0, *range(first, last))
    shape = Shape(
        unit=unit,
        goal=last,
        scores=scores,
        least=tuple(least_of(race, rested, score, unit) for score in scores),
        kinds=kinds_of(throws, unit),
    )
    return Explored(shape, explorer, {kind: at for at, kind in enumerate(throws)})


def kinds_of(throws: dict[Hashable, Throw], unit: int) -> tuple[Kind, ...]:
    """The throws by number; one that no turn gets to before it wins is as good as none."""
    numbers = {kind: at for at, kind in enumerate(throws)}
    beyond = len(throws)

    def numbered(ends: tuple[tuple[Hashable, int], ...]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((points // unit, numbers.get(kind, beyond)) for kind, points in ends))

    def classes(throw: Throw) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
        merged: Counter[tuple[tuple[int, int], ...]] = Counter()
        for ends, ways in throw.classes.items():
            merged[numbered(ends)] += ways
        return ((ways, ends) for ends, ways in sorted(merged.items()))

    return tuple(Kind(-(-throw.lowest // unit), throw.bust, tuple(classes(throw))) for throw in throws.values())


def wins(race: Race[Any], rested: Any, total: int) -> bool:
    """Whether banking with this score in all is the end of the game."""
    banked = race.game.step(race.holding(rested, (total, 0), 0), Move(ME, race.bank)).state
    return isinstance(race.game.awaits(banked), Over)


def banks(race: Race[Any], rested: Any, score: int, points: int) -> bool:
    return race.bank in race.game.choices(race.holding(rested, (score, 0), points), ME)


def least_of(race: Race[Any], rested: Any, score: int, unit: int) -> int:
    return lowest_of(lambda points: banks(race, rested, score * unit, points * unit))


def lowest_of(holds: Callable[[int], bool]) -> int:
    """The lowest number from 1 on for which something holds, as it then does for all above."""
    high = 1
    while not holds(high):
        high *= 2
        if high > ENOUGH:
            raise Unsolvable("A turn of this game can never be won.")
    return bisect_left(range(high + 1), True, lo=high // 2 + 1 if high > 1 else 1, key=holds)
