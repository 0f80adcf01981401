"""A lock that serves those who wait in turn by who they are: many requests of one address do not delay another's."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

Lane: TypeAlias = deque[asyncio.Future[None]]


class FairLock:
    """Held by one at a time, or by as many as there are *places*."""

    def __init__(self, places: int = 1) -> None:
        self.free = places
        self.lanes: OrderedDict[str, Lane] = OrderedDict()  # the address that is served next comes first

    @property
    def held(self) -> bool:
        """Whether the next caller has to wait."""
        return self.free == 0

    @asynccontextmanager
    async def hold(self, who: str) -> AsyncIterator[None]:
        await self.acquire(who)
        try:
            yield
        finally:
            self.release()

    def waiting(self, who: str) -> int:
        return len(self.lanes.get(who, ()))

    async def acquire(self, who: str) -> None:
        if not self.held:
            self.free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lanes.setdefault(who, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was our turn already
                self.release()
            raise

    def release(self) -> None:
        """Give the lock to the next in line, skipping those that gave up waiting."""
        while self.lanes:
            who, lane = self.lanes.popitem(last=False)
            turn = lane.popleft()
            if lane:
                self.lanes[who] = lane
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1
