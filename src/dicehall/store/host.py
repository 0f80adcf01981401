"""What a host needs of a journal, beside what one table needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dicehall.table.ports import Commit, Head, Journal, Outage

LIVE = ("lobby", "playing", "asleep")


class HostJournal(Journal, Protocol):
    async def heads(self, live: bool = True) -> Sequence[Head]:
        """Where the tables stand, the earliest deadline first and those without one last."""

    async def due(self, before: int) -> Sequence[Head]:
        """The live tables whose deadline is not after *before*, the earliest first."""

    async def pulse(self, process: str, at: int) -> None: ...

    async def last_pulse(self) -> int | None:
        """When any process last said that it is there."""

    async def add_outage(self, outage: Outage) -> None: ...

    async def outages(self) -> Sequence[Outage]:
        """In order; the same outage told twice is one."""

    async def archive(self, table: str, record: bytes) -> None:
        """Keep the record and drop the journal of a table, together. The first record stays."""

    async def archived(self, table: str) -> bytes | None: ...

    def close(self) -> None:
        """Store what waits, then let the file go. Closing twice is closing once."""


def order(head: Head) -> tuple[bool, int, str]:
    return head.deadline is None, head.deadline or 0, head.table


def check_head(commit: Commit) -> None:
    row, head = commit.row, commit.head
    if (row.table, row.seq) != (head.table, head.seq):
        raise ValueError(f"A head of {head.table} at {head.seq} with act {row.seq} of {row.table}.")
