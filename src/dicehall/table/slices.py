"""Long work on the event loop, cut into slices: whoever it is for, one slice is done in one turn of the loop.

Between two slices everything else has its turn, so a long journal costs other people a fraction of a millisecond per
turn and never the seconds that folding it takes. Slices of different addresses are done in turn, so somebody who asks
for a thousand records does not delay another's. Folding stays on the loop's own thread: another thread would hold the
interpreter's lock for longer than a slice lasts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from dicehall.table.fair_lock import FairLock

ACTS = 16  # folded in one slice
HALL = ""  # nobody asked: the hall works on its own

asking: ContextVar[str] = ContextVar("asking", default=HALL)  # the address of the request that is being answered
sharing: ContextVar[set[str] | None] = ContextVar("sharing", default=None)  # all addresses that wait for the same work

T = TypeVar("T")


class Shared(Generic[T]):
    """Work that several people wait for: whoever asked first, it is done in the turn of the least busy one."""

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self.askers: set[str] = set()
        context = copy_context()
        context.run(sharing.set, self.askers)
        self.task = asyncio.create_task(work, context=context)

    async def outcome(self) -> T:
        self.askers.add(asking.get())
        return await asyncio.shield(self.task)


@dataclass(slots=True)
class Slices:
    turn: FairLock = field(default_factory=FairLock)

    async def pause(self) -> None:
        """Let everything else have its turn; of all who pause, one goes on per turn of the loop, addresses in turn."""
        askers = sharing.get() or {asking.get()}
        async with self.turn.hold(min(askers, key=self.turn.waiting)):
            await asyncio.sleep(0)

    async def pause_after(self, done: int) -> None:
        """Pause whenever a slice of acts is done."""
        if done % ACTS == 0:
            await self.pause()

    async def encode_each(self, items: Iterable[Any]) -> list[msgspec.Raw]:
        """Items of a long list as JSON, so that encoding the list is no more than putting them together."""
        encoded: list[msgspec.Raw] = []
        for item in items:
            encoded.append(msgspec.Raw(msgspec.json.encode(item)))
            await self.pause_after(len(encoded))
        return encoded

    async def run(self, steps: Iterable[None]) -> None:
        """Work that is cut into steps already, one step in each slice."""
        for _ in steps:
            await self.pause()
