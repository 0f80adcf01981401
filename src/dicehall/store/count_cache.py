"""Counts over all games, kept while they are true, and for a while longer where counting them takes long."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")

MOST = 256  # answers
QUICK_S = 0.02  # what is counted faster than this is never told late
SHARE = 20  # at most this part of the time is spent on counting the same again


@dataclass(slots=True)
class Counted:
    version: int  # of what was counted
    task: asyncio.Task[Any]
    began: float
    took: float = 0.0

    def good(self, version: int, now: float) -> bool:
        if not self.task.done():
            return True  # whoever comes meanwhile waits for the same answer
        if self.task.cancelled() or self.task.exception() is not None:
            return False
        late = self.took > QUICK_S and now - self.began < self.took * SHARE
        return late or self.version == version


@dataclass(slots=True)
class CountCache:
    """*version* changes when another game ends."""

    version: Callable[[], int]
    kept: OrderedDict[Hashable, Counted] = field(default_factory=OrderedDict)

    async def get(self, key: Hashable, count: Callable[[], Coroutine[Any, Any, T]]) -> T:
        version, now = self.version(), time.monotonic()
        counted = self.kept.pop(key, None)
        if counted is None or not counted.good(version, now):
            counted = Counted(version, asyncio.create_task(count()), now)
            counted.task.add_done_callback(counted_at(counted))
        self.kept[key] = counted
        while len(self.kept) > MOST:
            self.kept.popitem(last=False)
        answer: T = await asyncio.shield(counted.task)
        return answer


def counted_at(counted: Counted) -> Callable[[asyncio.Task[Any]], None]:
    def done(task: asyncio.Task[Any]) -> None:
        counted.took = time.monotonic() - counted.began
        if not task.cancelled():
            task.exception()  # nobody may be left to hear of it

    return done
