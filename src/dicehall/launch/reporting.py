"""The coach after a game: what luck and play did in it, worked out once, in a process of its own."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import msgspec

from dicehall.core.game import Refused
from dicehall.games import catalogue
from dicehall.lab.coach import report_of
from dicehall.lab.moments import course_of
from dicehall.lab.shown import show_report
from dicehall.lab.solved import solver_soon
from dicehall.launch.worker import Worker, tell_progress
from dicehall.server.bodies import Coached, coaching
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
LINGER_S = 15.0  # that a report is worked at while whoever asked for it asks again only now and then
MOST_KEPT_BYTES = 64 << 20  # of tables that were solved for reports
UNSOLVED = "These house rules have not been solved, so the coach cannot judge the moves."


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A report that is worked out, or was."""

    table: str
    number: int
    task: asyncio.Task[Coached]

    @property
    def failed(self) -> bool:
        return self.task.done() and (self.task.cancelled() or self.task.exception() is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Reporter:
    """Whoever asks for a report that is being worked out waits for the same one; DO or DICE takes half a minute."""

    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING, MOST_EACH))
    known: OrderedDict[str, Job] = field(default_factory=OrderedDict)
    askers: Counter[Job] = field(default_factory=Counter)
    numbers: count[int] = field(default_factory=lambda: count(1))

    def knows(self, table: str) -> bool:
        """Whether the report of a table is there, or under way."""
        job = self.known.get(table)
        return job is not None and not job.failed

    async def report(
        self, address: str, table: str, read: Callable[[], Awaitable[bytes]], wait_s: float | None = None
    ) -> Coached:
        """The report of a table; *read* gives its record, and is called only if the report is not there yet.

        With *wait_s* as much as there is after that time, which may be no more than the progress.
        """
        job = self.job_of(address, table, read)
        self.askers[job] += 1
        try:
            done, _ = await asyncio.wait({job.task}, timeout=wait_s)
            return await job.task if done else coaching(self.worker.progress(job.number))
        finally:
            self.leave(job, 0.0 if wait_s is None else LINGER_S)

    def job_of(self, address: str, table: str, read: Callable[[], Awaitable[bytes]]) -> Job:
        if not self.knows(table):
            number = next(self.numbers)
            self.known[table] = Job(table, number, asyncio.create_task(self.work(number, address, read)))
        self.known.move_to_end(table)
        while len(self.known) > REMEMBERED:
            self.known.popitem(last=False)
        return self.known[table]

    def leave(self, job: Job, linger_s: float) -> None:
        """Somebody stops waiting; what nobody waits for any more is given up, at once or after a while."""
        self.askers[job] -= 1
        if self.askers[job] > 0:
            return
        del self.askers[job]
        if linger_s and not job.task.done():
            asyncio.get_running_loop().call_later(linger_s, self.give_up, job)
        else:
            self.give_up(job)

    def give_up(self, job: Job) -> None:
        """Nobody waits for this report any more; whoever asks next must not wait for one that is being cancelled."""
        if job in self.askers or job.task.done():
            return
        job.task.cancel()
        if self.known.get(job.table) is job:
            del self.known[job.table]

    async def work(self, number: int, address: str, read: Callable[[], Awaitable[bytes]]) -> Coached:
        """A long record is read when it is this report's turn, so that only one of them is in memory."""
        async with self.worker.place(address):
            found = await self.worker.run_now(reported, await read(), number)
        if found is None:
            raise Refused(Code.NOT_ALLOWED, UNSOLVED)
        return msgspec.json.decode(found, type=Coached)

    def close(self) -> None:
        self.worker.close()


def reported(record: bytes, number: int = 0) -> bytes | None:
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
    shown = show_report(report_of(course, solver, lambda done: tell_progress(number, done)))
    return msgspec.json.encode(msgspec.convert({**shown, "progress": 1.0}, Coached))


def folder_of_hall() -> Path:
    """Where tables lie that were solved because strangers asked: a folder apart, which is kept small."""
    return CACHE.path() / "hall"
