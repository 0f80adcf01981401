"""A process of its own for one kind of hard work: one piece at a time, a short queue, and an end to all patience.

Work that takes too long, or that nobody waits for any more, is ended with its process, and the next piece gets a new
one: so no request can keep others from their turn for longer than its time. Addresses are served in turn, and one of
them can fill only a part of the queue.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, TypeVar

from dicehall.core.game import Refused
from dicehall.table.fair_lock import FairLock
from dicehall.table.requests import Code

if sys.platform != "win32":
    import resource

T = TypeVar("T")
NICE = 5  # how far hard work stands back behind the hall
START_S = 60.0  # for a new process to get ready, which is not a piece of work's fault
MOST_MEMORY = 1 << 30  # bytes that a process may fill; the hardest work that was tried needs a quarter of it


class TooSlow(Refused):
    """A piece of work that took longer, or more memory, than it may."""


class Worker:
    def __init__(self, seconds: float, most_waiting: int, most_each: int | None = None) -> None:
        self.seconds = seconds
        self.most_waiting = most_waiting
        self.most_each = most_each or most_waiting  # pieces of work of one address
        self.places: Counter[str] = Counter()  # pieces of work by address, the one that is done among them
        self.turn = FairLock()
        self.pool: ProcessPoolExecutor | None = None
        self.done: Any = get_context("spawn").RawArray("d", 2)  # the job that is worked at, and how much of it is done

    @property
    def waiting(self) -> int:
        return self.places.total()

    async def run(self, work: Callable[..., T], *given: Any, who: str = "") -> T:
        """Refused where too many wait already, or it takes too long; *who* is the address that asks."""
        async with self.place(who):
            return await self.run_now(work, *given)

    @asynccontextmanager
    async def place(self, who: str) -> AsyncIterator[None]:
        """A place in the queue, and then the turn; what the work needs is best made ready within it."""
        if self.waiting >= self.most_waiting or self.places[who] >= self.most_each:
            raise Refused(Code.RATE_LIMITED, "Too many people are waiting for this right now.", retry_after=5)
        self.places[who] += 1
        try:
            async with self.turn.hold(who):
                yield
        finally:
            self.places[who] -= 1
            if not self.places[who]:
                del self.places[who]

    async def run_now(self, work: Callable[..., T], *given: Any) -> T:
        try:
            if self.pool is None:
                async with asyncio.timeout(START_S):
                    await self.try_twice(os.getpid)
            async with asyncio.timeout(self.seconds):
                return await self.try_twice(work, *given)
        except (TimeoutError, MemoryError, BrokenProcessPool):
            self.end()
            raise TooSlow(Code.RATE_LIMITED, "This takes too long to work out.", retry_after=60) from None
        except asyncio.CancelledError:
            self.end()
            raise

    async def try_twice(self, work: Callable[..., T], *given: Any) -> T:
        """A process that died is replaced once."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.ready(), work, *given)
        except BrokenProcessPool:
            self.close()
            return await loop.run_in_executor(self.ready(), work, *given)

    def ready(self) -> ProcessPoolExecutor:
        """Started when it is first needed, and never by a fork: it must not hold the hall's files."""
        if self.pool is None:
            self.pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=settle_in, initargs=(self.done,))
        return self.pool

    def progress(self, job: int) -> float:
        """How much of a job is done, as far as its work has said; nothing of one that waits."""
        at_work, done = self.done
        return float(done) if at_work == job else 0.0

    def end(self) -> None:
        """End the process, whatever it is at."""
        processes = [] if self.pool is None else list((self.pool._processes or {}).values())
        self.close()
        for process in processes:
            process.kill()

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None


def settle_in(done: Any) -> None:
    """Interrupts are for the hall, and when the hall is gone, however it went, so is its worker.

    The hall itself comes first: where all cores are busy, hard work waits for people's moves and not the other way.
    """
    global _done
    _done = done
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(NICE)
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]  # which this process cannot raise
        soft = MOST_MEMORY if most == resource.RLIM_INFINITY else min(most, MOST_MEMORY)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, most))
    Thread(target=leave_with_the_hall, daemon=True).start()


def leave_with_the_hall() -> None:
    hall = parent_process()
    if hall is not None:
        hall.join()
        os._exit(0)


# -- how much is done, told from one process to the other ----------------------------------------------------

_done: Any = None  # in the worker's process: what its hall reads


def tell_progress(job: int, done: float) -> None:
    """Say how much of a job is done; outside a worker nobody hears it."""
    if _done is not None:
        _done[0], _done[1] = float(job), done
