"""Ways to write down the rows of a score table."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import TypeAlias

from dicehall.core.game import Faces

Rows: TypeAlias = Mapping[Faces, int]  # sorted faces -> points


def written(points: Mapping[str, int]) -> Rows:
    """Rows as a player would write them: ``{"1": 100, "123456": 1500}``."""
    return {tuple(sorted(int(face) for face in faces)): worth for faces, worth in points.items()}


def of_a_kind(points: Mapping[int, tuple[int, ...]], *, least: int = 3) -> Rows:
    """Per face what *least* of it are worth, then one more, and one more."""
    return {(face,) * (least + more): worth for face, ladder in points.items() for more, worth in enumerate(ladder)}


def three_pairs(points: int) -> Rows:
    """Any three pairs; two of them, or all, may show the same face."""
    return {tuple(sorted(pairs * 2)): points for pairs in combinations_with_replacement(range(1, 7), 3)}
