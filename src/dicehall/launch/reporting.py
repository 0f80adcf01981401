"""The coach after a game: what luck and play did in it, worked out once, in a process of its own."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from dicehall.core.game import Refused
from dicehall.games import catalogue
from dicehall.lab.coach import report_of
from dicehall.lab.moments import course_of
from dicehall.lab.shown import show_report
from dicehall.lab.solved import solver_soon
from dicehall.launch.worker import Worker
from dicehall.server.bodies import Coached
from dicehall.solvers.keeping import trim
from dicehall.solvers.places import CACHE
from dicehall.solvers.race import Unsolvable
from dicehall.table.requests import Code
from dicehall.wire.record import read_record

PATIENCE_S = 20.0  # that solving small house rules may take
SECONDS = 120.0  # that one report may take
MOST_WAITING = 8  # reports
MOST_EACH = 2  # of one address
REMEMBERED = 64  # reports
MOST_KEPT_BYTES = 64 << 20  # of tables that were solved for reports
UNSOLVED = "Nobody has solved these house rules, so nobody can say what a move was worth."


@dataclass(frozen=True, slots=True, eq=False)
class Reporter:
    """Who asks for a report that is being worked out waits for the same one; DO or DICE takes half a minute."""

    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING, MOST_EACH))
    known: OrderedDict[str, asyncio.Task[Coached]] = field(default_factory=OrderedDict)
    askers: Counter[asyncio.Task[Coached]] = field(default_factory=Counter)

    async def report(self, address: str, table: str, read: Callable[[], Awaitable[bytes]]) -> Coached:
        """The report of a table; *read* gives its record, and is called only if the report is not there yet."""
        task = self.known.pop(table, None)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(self.work(address, read))
        self.known[table] = task
        while len(self.known) > REMEMBERED:
            self.known.popitem(last=False)
        self.askers[task] += 1
        try:
            return await asyncio.shield(task)
        finally:
            self.askers[task] -= 1
            if self.askers[task] <= 0:
                del self.askers[task]
                self.give_up(table, task)

    def give_up(self, table: str, task: asyncio.Task[Coached]) -> None:
        """Nobody waits for this report any more; whoever asks next must not wait for one that is being cancelled."""
        if not task.done():
            task.cancel()
            if self.known.get(table) is task:
                del self.known[table]

    async def work(self, address: str, read: Callable[[], Awaitable[bytes]]) -> Coached:
        """A long record is read when it is this report's turn, so that only one of them is in memory."""
        async with self.worker.place(address):
            found = await self.worker.run_now(reported, await read())
        if found is None:
            raise Refused(Code.NOT_ALLOWED, UNSOLVED)
        return msgspec.json.decode(found, type=Coached)

    def close(self) -> None:
        self.worker.close()


def reported(record: bytes) -> bytes | None:
    """As much of a report as is shown, encoded: to hand over all lines of a long game would hold up the hall."""
    course = course_of(read_record(record, catalogue()))
    try:
        solver = solver_soon(course.game, len(course.names), PATIENCE_S, time.monotonic, folder_of_hall())
    except Unsolvable:
        return None
    finally:
        trim(folder_of_hall(), MOST_KEPT_BYTES)
    if solver is None:
        return None
    return msgspec.json.encode(msgspec.convert(show_report(report_of(course, solver)), Coached))


def folder_of_hall() -> Path:
    """Where tables lie that were solved because strangers asked: a folder apart, which is kept small."""
    return CACHE.path() / "hall"
