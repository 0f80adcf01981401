"""Bots of a hall, away from its event loop: quick ones on threads, those that think hard in processes of their own.

Python runs one thread at a time, so a thread that thinks hard holds up the loop, and several of them for seconds.
Nothing but bots is done here: no request of a person can make them wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from random import Random
from typing import Any, TypeVar

from dicehall.bots.levels import bots_for, levels, plays_as
from dicehall.core.game import Seat
from dicehall.launch.worker import TooSlow, Worker

log = logging.getLogger("dicehall.launch")

T = TypeVar("T")
QUICK = ("random", "greedy")
THREADS = 2
SECONDS = 10.0  # that a bot thinks at most; then it plays as a quick one, here and for a while
MOST_WAITING = 1000  # moves; every table has at most one
REMEMBERED = 256  # house rules with which bots of a level were too slow


class Thinkers:
    """The same seed gives the same move, wherever it is thought out, unless that takes too long.

    There are two processes, so that one slow bot does not silence those of all other tables.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.workers = (Worker(seconds, MOST_WAITING), Worker(seconds, MOST_WAITING))
        self.threads = ThreadPoolExecutor(THREADS, "bots")
        self.slow: OrderedDict[tuple[Any, str], None] = OrderedDict()

    async def choose(self, game: Any, level: str, view: Any, me: Seat, choices: Sequence[Any], seed: str) -> Any:
        known = levels(game.key)
        if level not in known:
            level = "random"
        if level not in QUICK and (game, level) not in self.slow:
            try:
                return await self.apart(think, game, level, view, me, choices, seed)
            except TooSlow:
                self.remember(game, level)
        quick = level if level in QUICK else next((one for one in reversed(QUICK) if one in known), "random")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, think, game, quick, view, me, choices, seed)

    def remember(self, game: Any, level: str) -> None:
        log.warning("%s bots are too slow for these house rules of %s, so quick bots play instead", level, game.key)
        self.slow[game, level] = None
        if len(self.slow) > REMEMBERED:
            self.slow.popitem(last=False)

    async def plays_as(self, game: Any, level: str, seats: int) -> str:
        """The level a bot really plays on; asking also makes its tables ready before the first move."""
        return level if level in QUICK else await self.apart(plays_as, game, level, seats)

    async def apart(self, work: Callable[..., T], *given: Any) -> T:
        """In the process for which fewer wait."""
        return await min(self.workers, key=lambda worker: worker.waiting).run(work, *given)

    @property
    def pool(self) -> ProcessPoolExecutor | None:
        return self.workers[0].pool

    def ready(self) -> ProcessPoolExecutor:
        return self.workers[0].ready()

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers:
            worker.close()


def think(game: Any, level: str, view: Any, me: Seat, choices: Sequence[Any], seed: str) -> Any:
    return bots_for(game)[level](view, me, choices, Random(seed))
