"""Throws of like dice, whatever the order in which they fall: every one, with the number of ways it falls in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import factorial, prod

from dicehall.core.game import Faces


def throws_of(dice: int, sides: int = 6) -> Iterator[tuple[Faces, int]]:
    """Every throw as sorted faces, with its ways."""
    return ((faces, ways(faces)) for faces in combinations_with_replacement(range(1, sides + 1), dice))


def ways(faces: Faces) -> int:
    """In how many orders these faces can fall."""
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))
