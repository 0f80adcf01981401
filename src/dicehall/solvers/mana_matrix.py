"""Matrix games: both sides choose at once, one gets what the other loses.

A saddle point is looked for first; where there is none, the simplex method finds both mixed strategies. Their gap, what
the better of two best answers could still gain, is checked: where floats leave more than GAP, fractions do it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias, TypeVar

Matrix: TypeAlias = Sequence[Sequence[float]]  # what the side of the rows gets
Mix: TypeAlias = tuple[float, ...]  # how often to choose what
Leanings: TypeAlias = tuple[Sequence[float], Sequence[float]]  # of rows and columns: the more, the rather
N = TypeVar("N", float, Fraction)

GAP = 1e-12
NOISE = 1e-12  # of float arithmetic: what is smaller is no reason to pivot
PIVOTS = 100  # far more than a small matrix needs; who needs more is going in circles


class Solved(NamedTuple):
    value: float
    rows: Mix
    columns: Mix
    gap: float = 0.0
    pure: bool = True


def solve_matrix(matrix: Matrix, leanings: Leanings = ((), ())) -> Solved:
    """What the side of the rows gets if both play well, and how they do it."""
    if found := saddle(matrix, leanings):
        return found
    mixed = certified(matrix, simplex([[*map(float, row)] for row in matrix], NOISE))
    return mixed if mixed.gap <= GAP else certified(matrix, simplex([[*map(Fraction, row)] for row in matrix], 0.0))


def saddle(matrix: Matrix, leanings: Leanings = ((), ())) -> Solved | None:
    """A row and a column that are the best answers to each other.

    Of several that guarantee the same, a side takes what gets most where the other errs, then what it leans to.
    """
    columns = [*zip(*matrix, strict=True)]
    floors, ceilings = [*map(min, matrix)], [*map(max, columns)]
    floor, ceiling = max(floors), min(ceilings)
    if floor < ceiling:
        return None
    row = favoured([at for at, least in enumerate(floors) if least == floor], [*map(sum, matrix)], leanings[0])
    losses = [-sum(column) for column in columns]
    column = favoured([at for at, most in enumerate(ceilings) if most == ceiling], losses, leanings[1])
    return Solved(floor, only(row, len(floors)), only(column, len(ceilings)))


def favoured(equal: Sequence[int], hopes: Sequence[float], leaning: Sequence[float]) -> int:
    return equal[0] if len(equal) == 1 else max(equal, key=lambda at: (hopes[at], leaning[at] if leaning else 0))


def only(chosen: int, count: int) -> Mix:
    return tuple(float(at == chosen) for at in range(count))


def certified(matrix: Matrix, mixes: tuple[Mix, Mix]) -> Solved:
    """The mixes with what each guarantees: the value lies between."""
    rows, columns = mixes
    floor = min(dot(rows, column) for column in zip(*matrix, strict=True))
    ceiling = max(dot(row, columns) for row in matrix)
    return Solved((floor + ceiling) / 2, rows, columns, max(0.0, ceiling - floor), pure=False)


def dot(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


def simplex(matrix: list[list[N]], noise: float) -> tuple[Mix, Mix]:
    """Both mixes of a matrix of any numbers.

    With all entries made positive, the columns' mix is the u >= 0 of largest sum with matrix u <= 1, scaled to sum 1,
    and the rows' mix is its dual. The last row of the tableau holds the goal, the last column the right hand sides.
    """
    lift = 1 - min(min(row) for row in matrix)
    tableau: list[list[N]] = [[entry + lift for entry in row] + [one(lift)] for row in matrix]
    tableau.append([-one(lift) for _ in matrix[0]] + [one(lift) - 1])
    height, width = len(matrix), len(matrix[0])
    basis, free = [width + at for at in range(height)], list(range(width))
    for _ in range(PIVOTS):
        entering = [at for at in range(width) if tableau[-1][at] < -noise]
        if not entering:
            break
        column = min(entering, key=free.__getitem__)  # the lowest name first: Bland's rule, which never circles
        tight = [at for at in range(height) if tableau[at][column] > noise]
        row = min(tight, key=lambda at: (tableau[at][-1] / tableau[at][column], basis[at]))
        pivot(tableau, row, column)
        basis[row], free[column] = free[column], basis[row]
    columns = {name: tableau[at][-1] for at, name in enumerate(basis)}
    rows = {name: tableau[-1][at] for at, name in enumerate(free)}
    return scaled([rows.get(width + at, 0) for at in range(height)]), scaled(
        [columns.get(at, 0) for at in range(width)]
    )


def one(like: N) -> N:
    return like - like + 1


def pivot(tableau: list[list[N]], row: int, column: int) -> None:
    """Exchange what a row and a column stand for."""
    by = tableau[row][column]
    turned = [entry / by for entry in tableau[row]]
    turned[column] = 1 / by
    for at, line in enumerate(tableau):
        if at != row and (factor := line[column]):
            changed = [entry - factor * other for entry, other in zip(line, turned, strict=True)]
            changed[column] = -factor / by
            tableau[at] = changed
    tableau[row] = turned


def scaled(weights: Sequence[N | int]) -> Mix:
    kept = [max(0.0, float(weight)) for weight in weights]
    whole = sum(kept)
    return tuple(weight / whole for weight in kept)
