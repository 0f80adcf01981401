"""Numbers as people type them on the command line: ``500``, ``1_000_000``, ``1e6``, ``2.5``."""

from __future__ import annotations

import re
from decimal import Decimal

from dicehall.launch.output import Failed
from dicehall.wire.errors import clipped

WRITTEN = re.compile(r"[+-]?[0-9][0-9_]*(\.[0-9]+)?([eE]\+?[0-9]{1,3})?")
LONGEST = 40  # characters; Decimal reads so many exactly, and no number of ours needs them
HUGE = 10**15  # beyond every limit: what is larger is out of range in the same way


def whole_number(text: str) -> int | None:
    """The number, cut off where it is huge; None if it is not written as a whole number."""
    text = text.strip()
    if not WRITTEN.fullmatch(text):
        return None
    if len(text) > LONGEST:
        return -HUGE if text.startswith("-") else HUGE
    number = Decimal(text.replace("_", ""))
    if abs(number) >= HUGE:
        return HUGE if number > 0 else -HUGE
    return int(number) if number == int(number) else None


def decimal_number(text: str) -> float | None:
    """The number, or None if it is not written as one."""
    text = text.strip()
    return float(text) if len(text) <= LONGEST and WRITTEN.fullmatch(text) else None


def read_whole(name: str, text: str, least: int, most: int) -> int:
    """A number within its range, or a sentence that says what it must be."""
    number = whole_number(text)
    if number is None or not least <= number <= most:
        raise Failed(f"{name} must be a whole number from {least} to {most}, not {clipped(text)!r}.")
    return number
