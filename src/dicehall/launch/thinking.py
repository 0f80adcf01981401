"""Bots of a hall, away from its event loop: quick ones on threads, those that think hard in a process of their own.

Python runs one thread at a time, so a thread that thinks hard holds up the loop, and several of them for seconds.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from random import Random
from threading import Thread
from typing import Any, TypeVar

from dicehall.bots.levels import bots_for, levels, plays_as
from dicehall.core.game import Seat

T = TypeVar("T")
QUICK = ("random", "greedy")
PROCESSES = 1


class Thinkers:
    """The same seed gives the same move, wherever it is thought out."""

    def __init__(self) -> None:
        self.pool: ProcessPoolExecutor | None = None

    async def choose(self, game: Any, level: str, view: Any, me: Seat, choices: Sequence[Any], seed: str) -> Any:
        if level not in levels(game.key):
            level = "random"
        if level in QUICK:
            return await asyncio.to_thread(think, game, level, view, me, choices, seed)
        return await self.apart(think, game, level, view, me, choices, seed)

    async def plays_as(self, game: Any, level: str, seats: int) -> str:
        """The level a bot really plays on; asking also makes its tables ready before the first move."""
        return level if level in QUICK else await self.apart(plays_as, game, level, seats)

    async def apart(self, work: Callable[..., T], *given: Any) -> T:
        """In the other process; one that died is replaced once."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.ready(), work, *given)
        except BrokenProcessPool:
            self.close()
            return await loop.run_in_executor(self.ready(), work, *given)

    def ready(self) -> ProcessPoolExecutor:
        """Started when it is first needed, and never by a fork: it must not hold the hall's files."""
        if self.pool is None:
            self.pool = ProcessPoolExecutor(PROCESSES, get_context("spawn"), initializer=settle_in)
        return self.pool

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None


def think(game: Any, level: str, view: Any, me: Seat, choices: Sequence[Any], seed: str) -> Any:
    return bots_for(game)[level](view, me, choices, Random(seed))


def settle_in() -> None:
    """Interrupts are for the hall, and when the hall is gone, however it went, so is its thinker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=leave_with_the_hall, daemon=True).start()


def leave_with_the_hall() -> None:
    hall = parent_process()
    if hall is not None:
        hall.join()
        os._exit(0)
