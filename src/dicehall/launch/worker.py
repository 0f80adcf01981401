"""A process of its own for one kind of hard work: one piece at a time, a short queue, and an end to all patience.

Work that takes too long, or that nobody waits for any more, is ended with its process, and the next piece gets a new
one: so no request can keep others from their turn for longer than its time.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, TypeVar

from dicehall.core.game import Refused
from dicehall.table.requests import Code

T = TypeVar("T")


class TooSlow(Refused):
    """A piece of work that took longer than it may."""


class Worker:
    def __init__(self, seconds: float, most_waiting: int) -> None:
        self.seconds = seconds
        self.most_waiting = most_waiting
        self.waiting = 0  # pieces of work, the one that is done among them
        self.turn = asyncio.Lock()
        self.pool: ProcessPoolExecutor | None = None
        self.done: Any = get_context("spawn").RawArray("d", 2)  # the job that is worked at, and how much of it is done

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Refused where too many wait already, or it takes too long."""
        if self.waiting >= self.most_waiting:
            raise Refused(Code.RATE_LIMITED, "Too many people wait for this at the moment.", retry_after=5)
        self.waiting += 1
        try:
            async with self.turn:
                return await self.run_now(work, *given)
        finally:
            self.waiting -= 1

    async def run_now(self, work: Callable[..., T], *given: Any) -> T:
        try:
            async with asyncio.timeout(self.seconds):
                return await self.try_twice(work, *given)
        except TimeoutError:
            self.end()
            raise TooSlow(Code.RATE_LIMITED, "This is too much work for the hall.", retry_after=60) from None
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
    """Interrupts are for the hall, and when the hall is gone, however it went, so is its worker."""
    global _done
    _done = done
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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
