"""Warnings before a grace ends (A12): told without a number, never stored, never needed to rebuild a view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dicehall.table.clocks import grace_dues, grace_ms
from dicehall.table.state import TableState

WARNINGS_MS = (45_000, 30_000, 15_000, 10_000, 5_000)  # before the end of a grace (A12)


@dataclass(frozen=True, slots=True, order=True)
class Warning:
    at: int
    seat: int
    left: int  # ms of grace

    @property
    def shown(self) -> dict[str, Any]:
        return {"event": "GraceWarning", "player": self.seat, "time_remaining": self.left}


def warnings(state: TableState) -> Iterator[Warning]:
    """All warnings of the graces that run, those that lie below the grace."""
    if not state.running:
        return
    for due in grace_dues(state):
        for left in WARNINGS_MS:
            if left < grace_ms(state):
                yield Warning(due.at - left, due.seat, left)


def warned(state: TableState, after: int, till: int) -> list[Warning]:
    """The warnings of this stretch of time."""
    return sorted(one for one in warnings(state) if after < one.at <= till)


def next_warning(state: TableState, after: int) -> int | None:
    if not state.policy.grace:
        return None
    return min((one.at for one in warnings(state) if one.at > after), default=None)
