"""The values of many matrix games that are alike, sooner than by solving each of them.

What one choice never does better than another is left out once for all of them; and what was mixed in the last game is
tried first in the next, where it is nearly always right. Certificates say whether it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dicehall.solvers.mana_matrix import GAP, Matrix, Mix, dot, solve_matrix

Choices: TypeAlias = tuple[int, ...]
LEVEL = 1e-9  # what is flatter is no pivot
REMEMBERED = 8  # a match hardly ever mixes in more than three ways
NOTHING = (0.0, 1e9)  # made sure of, and allowed
DIGITS = 13  # of a value; what comes after depends on which mix was tried first, and must not decide between equals


class Alike:
    """Games with the same choices on both sides, one after the other."""

    def __init__(self) -> None:
        self.mixed: list[tuple[Choices, Choices]] = []  # what was mixed before, by rows and columns, the latest first

    def value(self, matrix: Matrix) -> float:
        for at, (rows, columns) in enumerate(self.mixed):
            floor, ceiling = mixing(matrix, rows, columns)
            if ceiling - floor <= GAP:
                if at:
                    self.mixed.insert(0, self.mixed.pop(at))
                return round((floor + ceiling) / 2, DIGITS)
        solved = solve_matrix(matrix)
        self.mixed = [(used(solved.rows), used(solved.columns)), *self.mixed[: REMEMBERED - 1]]
        return round(solved.value, DIGITS)


def used(mix: Mix) -> Choices:
    return tuple(at for at, often in enumerate(mix) if often)


def mixing(matrix: Matrix, rows: Choices, columns: Choices) -> tuple[float, float]:
    """What the side of the rows makes sure of, and the other side allows at most, if both mix only these choices, each
    so that all of the other side's get the same; nothing and everything where they cannot."""
    if len(rows) != len(columns):
        return NOTHING
    part = [[matrix[row][column] + 1 for column in columns] for row in rows]  # above 0, so that no value is 0
    down, across = evened([*zip(*part, strict=True)]), evened(part)
    if down is None or across is None:
        return NOTHING
    if len(rows) == 2:  # nearly always
        (up, low), (p, q), (left, right), (x, y) = (matrix[row] for row in rows), down, columns, across
        return min([p * a + q * b for a, b in zip(up, low, strict=True)]), max(
            [x * row[left] + y * row[right] for row in matrix]
        )
    lines = [matrix[row] for row in rows]
    return min(dot(down, column) for column in zip(*lines, strict=True)), max(
        dot(across, [line[column] for column in columns]) for line in matrix
    )


def evened(square: Sequence[Sequence[float]]) -> Mix | None:
    """How often to choose each column so that all rows get the same; None where that cannot be."""
    weights = weights_of_two(square) if len(square) == 2 else weights_of(square)
    if weights is None or min(weights) < 0:
        return None
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)


def weights_of_two(square: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """The same as for more, only sooner: nearly always two choices are mixed."""
    (a, b), (c, d) = square
    whole = a * d - b * c
    return None if abs(whole) < LEVEL else ((d - b) / whole, (a - c) / whole)


def weights_of(square: Sequence[Sequence[float]]) -> list[float] | None:
    """By elimination: with these weights of the columns each row comes to 1."""
    lines = [[*row, 1.0] for row in square]
    for at in range(len(lines)):
        steepest = max(range(at, len(lines)), key=lambda line: abs(lines[line][at]))
        lines[at], lines[steepest] = lines[steepest], lines[at]
        pivot = lines[at][at]
        if abs(pivot) < LEVEL:
            return None
        head = lines[at] = [entry / pivot for entry in lines[at]]
        for other, line in enumerate(lines):
            if other != at:
                lines[other] = [entry - line[at] * above for entry, above in zip(line, head, strict=True)]
    return [line[-1] for line in lines]


def undominated(ranks: Sequence[Sequence[int]]) -> list[list[int]]:
    """What is left of a matrix of ranks without the rows that get no more than another in every column, nor the columns
    that give no less than another in every row; whatever numbers go with the ranks, the value is the same."""
    rows = [[*row] for row in ranks]
    while True:
        fewer = turned(best(turned(best(rows, 1)), -1))
        if fewer == rows:
            return rows
        rows = fewer


def best(rows: Sequence[Sequence[int]], sign: int) -> list[list[int]]:
    """The rows that no other makes needless; of equal ones the first."""
    kept = [[*row] for row in dict.fromkeys(map(tuple, rows))]
    return [row for row in kept if not any(other is not row and covers(other, row, sign) for other in kept)]


def covers(one: Sequence[int], other: Sequence[int], sign: int) -> bool:
    return all(sign * mine >= sign * theirs for mine, theirs in zip(one, other, strict=True))


def turned(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [[*column] for column in zip(*rows, strict=True)]
