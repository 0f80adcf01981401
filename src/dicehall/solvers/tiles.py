"""A race solved in tiles, so that several machines can share the work.

A pair of scores depends on the pairs in which one of the two has more points and the other has as many, and its first
guess on the neighbour in which both have more. So a tile of the table depends on the tiles beyond it in its row and in
its column, and on the next one across; all others can be solved at the same time. Every number is worked out from the
same numbers as in one sweep: the table is the same in every bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dicehall.solvers import programme
from dicehall.solvers.compiling import compiled
from dicehall.solvers.programme import Plan, Space
from dicehall.solvers.shape import Shape
from dicehall.solvers.solving import Chances, space_of, work, worth_compiling

ACROSS = 12  # tiles in a row: enough for a dozen workers, and few enough that a tile takes longer than sending it


@dataclass(frozen=True, slots=True)
class Tile:
    """The pairs of two blocks of scores, both ways round; *mine* is not above *other*."""

    mine: int
    other: int


@dataclass(frozen=True, slots=True)
class Solved:
    """The chances of one tile: row by row those of *mine* against *other*, then the other way round."""

    tile: Tile
    chances: bytes


@dataclass(frozen=True, slots=True)
class Tiling:
    """The table of a shape, cut into tiles."""

    size: int  # scores
    across: int

    @classmethod
    def of(cls, shape: Shape, across: int = ACROSS) -> Tiling:
        size = len(shape.scores)
        return cls(size, min(across, size))

    def block(self, number: int) -> range:
        return range(number * self.size // self.across, (number + 1) * self.size // self.across)

    def in_order(self) -> list[Tile]:
        """Each after all that it depends on: those nearest to the goal first."""
        tiles = [Tile(mine, other) for mine in range(self.across) for other in range(mine, self.across)]
        return sorted(tiles, key=lambda tile: -(tile.mine + tile.other))

    def needs(self, tile: Tile) -> list[Tile]:
        beyond = {ordered(more, tile.other) for more in range(tile.mine + 1, self.across)}
        beyond |= {ordered(tile.mine, more) for more in range(tile.other + 1, self.across)}
        if tile.other + 1 < self.across:
            beyond.add(ordered(tile.mine + 1, tile.other + 1))
        return sorted(beyond, key=lambda one: (one.mine, one.other))

    def pairs(self, tile: Tile) -> list[tuple[int, int]]:
        """Those of the tile, each once, both ways round being one."""
        return [(a, b) for a in self.block(tile.mine) for b in self.block(tile.other) if a <= b]

    def places(self, tile: Tile) -> Iterator[int]:
        """Where the tile's chances lie in the table, in the order in which they are sent."""
        rows, columns = self.block(tile.mine), self.block(tile.other)
        yield from (a * self.size + b for a in rows for b in columns)
        yield from (b * self.size + a for a in rows for b in columns)


def ordered(one: int, other: int) -> Tile:
    return Tile(min(one, other), max(one, other))


def solve_tile(shape: Shape, tiling: Tiling, tile: Tile, known: Sequence[Solved]) -> Solved:
    """One tile from those that it needs, compiled where that is worth it and possible."""
    table = [0.0] * tiling.size**2
    for solved in known:
        put(table, tiling, solved)
    pairs = sorted(tiling.pairs(tile), key=lambda pair: -(shape.scores[pair[0]] + shape.scores[pair[1]]))
    coded = [mine * tiling.size + other for mine, other in pairs]
    values = swept(shape, table, coded)
    return Solved(tile, array("d", [values[place] for place in tiling.places(tile)]).tobytes())


def swept(shape: Shape, table: list[float], coded: list[int]) -> Sequence[float]:
    machine = compiled() if worth_compiling(shape) else None
    if machine is None:
        programme.sweep(shape.plan, space_of(shape, shape.reach[0]), table, coded, 0, len(coded))
        return table
    module, as_array = machine
    plan = Plan(*(as_array(part) if isinstance(part, list) else part for part in shape.plan))
    values = as_array(table)
    space = Space(*map(as_array, space_of(shape, shape.reach[0])))
    module.sweep(plan, space, values, as_array(coded), 0, len(coded))
    return array("d", values.tobytes())


def put(table: list[float] | Chances, tiling: Tiling, solved: Solved) -> None:
    for place, chance in zip(tiling.places(solved.tile), array("d", solved.chances), strict=True):
        table[place] = chance


def effort(shape: Shape, tiling: Tiling, tile: Tile) -> int:
    """What a tile costs, compared with others."""
    return sum(work(shape, mine * tiling.size + other) for mine, other in tiling.pairs(tile))
