"""One timer for each table: the time at which something is due there, however often it is set anew."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from dicehall.table.ports import Clock

LONGEST_WAIT_S = 1.0  # the clock may be ahead of the event loop's


@dataclass(slots=True, eq=False)
class Timers:
    clock: Clock
    ring: Callable[[str], None]  # called with a table whose time has come
    heap: list[tuple[int, str]] = field(default_factory=list)
    set_for: dict[str, int] = field(default_factory=dict)  # the one time of a table that counts
    queued: dict[str, int] = field(default_factory=dict)  # its earliest entry in the heap
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def set(self, table: str, at: int | None) -> None:
        """Ring for a table at this time and no other. A timer that is put off waits where it is, as most are."""
        if at is None:
            self.set_for.pop(table, None)
            return
        self.set_for[table] = at
        if table not in self.queued or at < self.queued[table]:
            self.queued[table] = at
            heapq.heappush(self.heap, (at, table))
            if self.heap[0] == (at, table):  # earlier than what is waited for
                self.changed.set()

    async def run(self) -> None:
        while True:
            now = self.clock.now()
            self.ring_due(now)
            self.changed.clear()
            wait = min(LONGEST_WAIT_S, (self.heap[0][0] - now) / 1000) if self.heap else None
            with suppress(TimeoutError):  # not wait_for, which may swallow the cancelling of this task
                async with asyncio.timeout(wait):
                    await self.changed.wait()

    def ring_due(self, now: int) -> None:
        while self.heap and self.heap[0][0] <= now:
            at, table = heapq.heappop(self.heap)
            if self.queued.get(table) == at:
                del self.queued[table]
                self.ring_or_wait(table, now)

    def ring_or_wait(self, table: str, now: int) -> None:
        at = self.set_for.pop(table, None)
        if at is not None and at > now:  # it was put off
            self.set(table, at)
        elif at is not None:
            self.ring(table)
