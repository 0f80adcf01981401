"""Virtual time: an event loop whose clock jumps to the next timer instead of waiting for it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

START_MS = 1_700_000_000_000


class VirtualClock:
    """The wall clock of a simulated machine; it may be set forward and back."""

    def __init__(self) -> None:
        self.elapsed = 0.0  # seconds of virtual time, which only ever grows
        self.skew = 0  # ms by which the wall clock was set

    def now(self) -> int:
        return START_MS + round(self.elapsed * 1000) + self.skew


class JumpingSelector(selectors.SelectSelector):
    """Instead of waiting for a timer, moves the clock to it."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self.clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("Nothing will ever happen: every task waits for another.")
        self.clock.elapsed += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self, clock: VirtualClock) -> None:
        super().__init__(JumpingSelector(clock))
        self.virtual = clock

    def time(self) -> float:
        return self.virtual.elapsed


def run(work: Coroutine[Any, Any, T], clock: VirtualClock, loop_type: type[VirtualLoop] = VirtualLoop) -> T:
    """Run to the end in virtual time."""
    loop = loop_type(clock)
    try:
        return loop.run_until_complete(work)
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
