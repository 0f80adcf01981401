"""Tables of text, for terminals."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def text_table(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset(), gap: str = "  ") -> list[str]:
    """Rows in columns as wide as their longest cell; the columns in *right* are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [str.rjust if at in right else str.ljust for at in range(len(widths))]
    return [gap.join(map(placed, sides, row, widths)).rstrip() for row in rows]


def placed(side: Callable[[str, int], str], text: str, width: int) -> str:
    return side(text, width)
