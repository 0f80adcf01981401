"""A score table: rows of faces and what each is worth. All else is worked out from the rows, once, and remembered.

A roll is looked up as the tuple it fell as: ``table.scoring[roll]`` is one dictionary lookup from the second time on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import gcd
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from dicehall.core.game import Faces

Grouping: TypeAlias = tuple[Faces, ...]  # rows that are read from dice side by side
Positions: TypeAlias = tuple[int, ...]  # where dice lie in a roll, ascending

K = TypeVar("K")
V = TypeVar("V")


class Scoring(NamedTuple):
    """The highest reading of a roll."""

    points: int
    positions: Positions  # of the dice that score
    rest: Positions  # of those that do not
    grouping: Grouping


class Reading(NamedTuple):
    """Rows that use every die of a set."""

    points: int
    grouping: Grouping


NO_READING = Reading(0, ())


class Remembered(dict[K, V], Generic[K, V]):
    """A dictionary that works out what it is asked for the first time."""

    def __init__(self, work: Callable[[K], V]) -> None:
        super().__init__()
        self.work = work

    def __missing__(self, key: K) -> V:
        self[key] = answer = self.work(key)
        return answer


@dataclass(frozen=True)
class ScoreTable:
    rows: tuple[tuple[Faces, int], ...]  # sorted faces -> points

    def __post_init__(self) -> None:
        faces = [row for row, _ in self.rows]
        if len(set(faces)) < len(faces) or any(not row or row != tuple(sorted(row)) for row in faces):
            raise ValueError("The rows of a score table must be unique, non-empty and sorted.")
        if any(points < 1 for _, points in self.rows):
            raise ValueError("Every row of a score table must be worth points.")

    @classmethod
    def of(cls, *parts: Mapping[Faces, int]) -> ScoreTable:
        """One table of several parts; what two of them name is worth the more."""
        best: dict[Faces, int] = {}
        for part in parts:
            best |= {faces: max(points, best.get(faces, 0)) for faces, points in part.items()}
        return cls(tuple(sorted(best.items())))

    @cached_property
    def worth(self) -> Mapping[Faces, int]:
        """What a row is worth, by its sorted faces; a set that is no row is missing."""
        return dict(self.rows)

    @cached_property
    def unit(self) -> int:
        """What all points are multiples of."""
        return gcd(*(points for _, points in self.rows))

    @cached_property
    def scoring(self) -> Mapping[Faces, Scoring]:
        """Of a roll: its highest reading."""
        return Remembered(self._scoring)

    @cached_property
    def holds(self) -> Mapping[Faces, tuple[tuple[Positions, int], ...]]:
        """Of a roll: every set of positions in which each die scores, with its points, best first."""
        return Remembered(self._holds)

    @cached_property
    def locks(self) -> Mapping[Faces, tuple[tuple[Grouping, int], ...]]:
        """Of a roll with sorted faces: every grouping of some of its dice into rows, with its points, best first."""
        return Remembered(self._locks)

    @cached_property
    def full(self) -> Mapping[Faces, Reading]:
        """Of sorted faces: the highest reading that uses every die, or NO_READING."""
        return Remembered(self._full)

    @cached_property
    def _best(self) -> Mapping[Faces, tuple[Faces, Reading]]:
        return Remembered(self._best_part)

    def busts(self, roll: Faces) -> bool:
        return not self.scoring[roll].points

    def points(self, faces: Sequence[int]) -> int:
        """What dice are worth together if each of them has to score; 0 where that cannot be."""
        return self.full[tuple(sorted(faces))].points

    def _full(self, faces: Faces) -> Reading:
        readings = [NO_READING]
        for row, points in self.rows:
            if row[0] != faces[0]:  # every die must score, so begin with the lowest
                continue
            rest = without(faces, row)
            if rest == ():
                readings.append(Reading(points, (row,)))
            elif rest and (more := self.full[rest]).points:
                readings.append(Reading(points + more.points, (row, *more.grouping)))
        return max(readings, key=lambda reading: (reading.points, -len(reading.grouping)))

    def _best_part(self, faces: Faces) -> tuple[Faces, Reading]:
        parts = {part for size in range(1, len(faces) + 1) for part in combinations(faces, size)}
        ranked = ((self.full[part].points, len(part), part) for part in parts)
        part = max(ranked, default=(0, 0, ()))[2]
        return (part, self.full[part]) if part and self.full[part].points else ((), NO_READING)

    def _scoring(self, roll: Faces) -> Scoring:
        part, reading = self._best[tuple(sorted(roll))]
        positions = places(roll, part)
        rest = tuple(at for at in range(len(roll)) if at not in positions)
        return Scoring(reading.points, positions, rest, reading.grouping)

    def _holds(self, roll: Faces) -> tuple[tuple[Positions, int], ...]:
        sets = (at for size in range(1, len(roll) + 1) for at in combinations(range(len(roll)), size))
        worth = ((at, self.points([roll[i] for i in at])) for at in sets)
        return tuple(sorted(((at, points) for at, points in worth if points), key=lambda h: (-h[1], len(h[0]), h[0])))

    def _locks(self, roll: Faces) -> tuple[tuple[Grouping, int], ...]:
        fitting = [(row, points) for row, points in self.rows if without(roll, row) is not None]
        return tuple(sorted(groupings(roll, fitting), key=lambda g: (-g[1], sum(map(len, g[0])), g[0])))

    def __reduce__(self) -> tuple[Any, ...]:
        return ScoreTable, (self.rows,)  # what is remembered stays at home


def groupings(faces: Faces, rows: Sequence[tuple[Faces, int]]) -> Iterator[tuple[Grouping, int]]:
    """Every way to take rows out of dice side by side, in the order of the rows."""
    for nth, (row, points) in enumerate(rows):
        rest = without(faces, row)
        if rest is None:
            continue
        yield (row,), points
        for grouping, more in groupings(rest, rows[nth:]):
            yield (row, *grouping), points + more


def without(faces: Faces, taken: Faces) -> Faces | None:
    """Dice after some are taken away; None where they lack one of them."""
    rest = list(faces)
    for face in taken:
        if face not in rest:
            return None
        rest.remove(face)
    return tuple(rest)


def places(roll: Faces, part: Faces) -> Positions:
    """Where these faces lie in a roll, the first of equals first."""
    wanted = list(part)
    found = []
    for at, face in enumerate(roll):
        if face in wanted:
            wanted.remove(face)
            found.append(at)
    return tuple(found)
