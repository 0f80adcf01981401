"""The common part of all journals in this package."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from dicehall.table.ports import Commit, Head, HostJournal

LIVE = ("lobby", "playing", "asleep")


class StoreJournal(HostJournal, Protocol):
    """What every journal of this room can do."""

    async def heads(self, live: bool = True) -> Sequence[Head]:
        """Where the tables stand, the earliest deadline first and those without one last."""
        ...

    async def due(self, before: int) -> Sequence[Head]:
        """The live tables whose deadline is not after *before*, the earliest first."""
        ...

    async def copied_at(self) -> int | None:
        """When this database was copied from the one of a hall; None if it is that of a hall itself."""
        ...

    async def remove_copy_mark(self) -> None: ...

    def alone(self) -> AbstractAsyncContextManager[None]:
        """Hold a lock that one process at a time can have; the others wait."""
        ...

    def close(self) -> None:
        """Store what waits, then let the file go. Closing twice is closing once."""

    async def wait_closed(self) -> None:
        """Until a journal that was closed has stored what waited."""


def order(head: Head) -> tuple[bool, int, str]:
    return head.deadline is None, head.deadline or 0, head.table


def check_head(commit: Commit) -> None:
    row, head = commit.row, commit.head
    if (row.table, row.seq) != (head.table, head.seq):
        raise ValueError(f"A head of {head.table} at {head.seq} with act {row.seq} of {row.table}.")
