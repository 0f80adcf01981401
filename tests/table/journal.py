"""A journal in memory that can be slow, out of reach, or unsure."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from dicehall.store.memory import MemoryJournal
from dicehall.table.ports import Commit, Outage, Row, Unavailable, Uncertain


class TestJournal(MemoryJournal):
    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self.down = False  # out of reach
        self.seconds = 0.0  # that a commit takes
        self.unsure: list[bool] = []  # commits of unknown outcome, and whether each is stored nevertheless
        self.breaking = False  # whether a commit of unknown outcome is the last for a while
        self.pulse_seconds = 0.0  # how long a pulse takes
        self.refusing = 0  # so many commits from now on are not stored
        self.after = 0  # but not the first so many
        self.lagging = 0  # so many unsure commits arrive only when the next one does
        self.late: list[Commit] = []
        self.writing = 0
        self.most_at_once = 0

    def stored(self, table: str) -> list[Row]:
        return list(self._rows.get(table, []))

    async def append(self, commit: Commit) -> None:
        self.reach()
        self.writing += 1
        self.most_at_once = max(self.most_at_once, self.writing)
        try:
            await asyncio.sleep(self.seconds)
            await self.decide(commit)
        finally:
            self.writing -= 1

    async def decide(self, commit: Commit) -> None:
        while self.late:
            await super().append(self.late.pop(0))
        if self.lagging:
            self.lagging -= 1
            self.late.append(commit)
            raise Uncertain("The connection broke.")
        if self.after:
            self.after -= 1
        elif self.refusing:
            self.refusing -= 1
            raise Unavailable("The disk is full.")
        if self.unsure:
            if self.unsure.pop(0):
                await super().append(commit)
            self.down = self.breaking
            raise Uncertain("The connection broke.")
        await super().append(commit)

    async def rows(self, table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        self.reach()
        return await super().rows(table, after, most)

    async def pulse(self, process: str, at: int) -> None:
        self.reach()
        if self.pulse_seconds:
            await asyncio.sleep(self.pulse_seconds)
        await super().pulse(process, at)

    async def add_outage(self, outage: Outage) -> None:
        self.reach()
        await super().add_outage(outage)

    def reach(self) -> None:
        if self.down:
            raise Unavailable("The database cannot be reached.")
