"""Lost connections that may come back: their seats are away only if they do not, and no outage explains it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from dicehall.core.game import Refused
from dicehall.table.live import LiveTable
from dicehall.table.pulse import Pulse
from dicehall.table.requests import Code

LOST_S = 5.0  # a lost connection may come back this long before its seat is away
RETURN_S = 15.0  # after an outage, this long more
AGAIN_MS = 1_000  # when the journal did not answer, try again


@dataclass(slots=True, eq=False)
class Disconnections:
    tables: Mapping[str, LiveTable]
    pulse: Pulse
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    detach: Callable[[str, str], Awaitable[object]]  # the seat that a connection carries at a table is away
    waiting: dict[tuple[str, str], object] = field(default_factory=dict)  # (table, connection) that may come back

    def add(self, table: str, conn_id: str, seconds: float | None = None) -> None:
        """Note the end of a connection; only the last one counts, and only if it did not reconnect."""
        end = self.waiting[table, conn_id] = object()
        self.spawn(self.wait(table, conn_id, LOST_S if seconds is None else seconds, end))

    def forget(self, table: str, conn_id: str) -> None:
        """It is back."""
        self.waiting.pop((table, conn_id), None)

    async def wait(self, table: str, conn_id: str, seconds: float, end: object) -> None:
        wait: int | None = round(seconds * 1000)
        while wait is not None:
            await asyncio.sleep(wait / 1000)
            if self.waiting.get((table, conn_id)) is not end:
                return
            wait = self.pulse.returning() or await self.try_to_detach(table, conn_id)
        if self.waiting.get((table, conn_id)) is end:
            del self.waiting[table, conn_id]
            if live := self.tables.get(table):
                live.ended.discard(conn_id)

    async def try_to_detach(self, table: str, conn_id: str) -> int | None:
        """When to try again, in ms, if it was not possible."""
        try:
            if table in self.tables:  # else it was archived since
                await self.detach(table, conn_id)
            return None
        except Refused as refused:
            return AGAIN_MS if refused.code in (Code.STORE_UNAVAILABLE, Code.RATE_LIMITED) else None
