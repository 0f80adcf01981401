"""One turn, valued place by place in plain Python: what the coach and the bots ask while somebody plays.

It does what ``programme.turn`` does, arranged for an interpreter: the ends of a throw's classes are picked out in
columns. It leaves the slopes out, and values the places that no turn comes to as well, for those who wonder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter, mul
from typing import Any, TypeAlias

from dicehall.solvers.programme import banking
from dicehall.solvers.shape import Kind, Shape
from dicehall.solvers.solving import Chances, space_of

Column: TypeAlias = Callable[[Sequence[float]], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Picker:
    """A kind of throw: classes with as many ends as each other lie together, column by column."""

    bust: float
    groups: tuple[tuple[tuple[float, ...], tuple[Column, ...]], ...]  # the chances of classes, and their ends

    def value(self, row: Sequence[float], lose: float) -> float:
        """What the throw is worth where *row* holds the places from here on."""
        value = self.bust * lose
        for weights, columns in self.groups:
            if len(columns) == 1:
                value += sum(map(mul, weights, columns[0](row)))
            else:
                value += sum(map(mul, weights, map(max, *[column(row) for column in columns])))
        return value


def picker(kind: Kind, width: int) -> Picker:
    ways = kind.bust + sum(ways for ways, _ in kind.classes)
    sized: dict[int, list[tuple[float, list[int]]]] = defaultdict(list)
    for falls, ends in kind.classes:
        sized[len(ends)].append((falls / ways, [points * width + after for points, after in ends]))
    return Picker(kind.bust / ways, tuple(columns(classes) for _, classes in sorted(sized.items())))


def columns(classes: list[tuple[float, list[int]]]) -> tuple[tuple[float, ...], tuple[Column, ...]]:
    if len(classes) == 1:  # one index alone would pick no tuple
        classes = [*classes, (0.0, classes[0][1])]
    weights = tuple(chance for chance, _ in classes)
    getters: Any = tuple(itemgetter(*nth) for nth in zip(*(ends for _, ends in classes), strict=True))
    return weights, getters


class Turns:
    """Turns of one race with one table of chances."""

    def __init__(self, shape: Shape, chances: Chances) -> None:
        self.shape = shape
        self.chances = chances
        self.pickers = [picker(kind, shape.width) for kind in shape.kinds]
        self.span = (shape.furthest + 1) * shape.width

    def turn(self, mine: int, other: int) -> TurnValues:
        """The turn of a seat with one score (by number) against another."""
        size = len(self.shape.scores)
        return TurnValues(self, mine, other, lose=1.0 - self.chances[other * size + mine])


class TurnValues:
    """Every place of one turn; points are in units."""

    def __init__(self, turns: Turns, mine: int, other: int, lose: float) -> None:
        self.turns = turns
        self.lose = lose
        self.end = turns.shape.reach[mine]
        self.bank, self.rest, _, _ = self.space = space_of(turns.shape, self.end)
        banking(turns.shape.plan, self.space, turns.chances, mine, other)
        self.fill()

    def fill(self) -> None:
        rest, width = self.rest, self.turns.shape.width
        bounds = [1.0] * len(self.turns.pickers)
        for points in range(self.end - 1, -1, -1):
            kept = self.bank[points]
            base = points * width
            row: Sequence[float] = ()
            for kind, thrown in enumerate(self.turns.pickers):
                if bounds[kind] > kept:
                    row = row or rest[base : base + self.turns.span]
                    bounds[kind] = thrown.value(row, self.lose)
                rest[base + kind] = max(kept, bounds[kind])
            rest[base + width - 1] = kept

    def throw(self, points: int, kind: int) -> float:
        """The chance to win with dice in the air."""
        thrown = self.turns.pickers[kind]
        if points >= self.end:  # all that scores wins
            return 1.0 - thrown.bust * (1.0 - self.lose)
        base = points * self.turns.shape.width
        return thrown.value(self.rest[base : base + self.turns.span], self.lose)

    def kept(self, points: int) -> float:
        """The chance to win after banking; banking nothing is a lost turn."""
        if points >= self.end:
            return 1.0
        return self.bank[points] if points else self.lose

    def best(self, points: int, kind: int) -> float:
        """The better of banking and throwing dice of a kind; past the last kind there is only banking."""
        return 1.0 if points >= self.end else float(self.rest[points * self.turns.shape.width + kind])
