"""The coach after a game: what luck and play did in it, worked out once, in a process of its own.

Where chances are estimates, a rough report comes first, and a finer one takes its place.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import msgspec

from dicehall.core.game import Refused
from dicehall.games import catalogue
from dicehall.lab.coach import Report, report_of
from dicehall.lab.moments import course_of
from dicehall.lab.shown import show_report
from dicehall.lab.solved import solver_soon
from dicehall.lab.texts import languages
from dicehall.launch.worker import Worker, tell_progress
from dicehall.server.bodies import Coached, coaching
from dicehall.solvers.keeping import trim
from dicehall.solvers.places import CACHE
from dicehall.solvers.race import Unsolvable
from dicehall.table.requests import Code
from dicehall.wire.languages import ENGLISH
from dicehall.wire.record import read_record

PATIENCE_S = 20.0  # that solving small house rules may take
SECONDS = 90.0  # that one report may take
REFINE_S = 30.0  # that a finer one may take, waiting for its turn included; else the rough one stands
ROUGH_SHARE = 0.3  # of the work: that of the rough report
MOST_WAITING = 8  # reports
MOST_EACH = 2  # of one address
REMEMBERED = 64  # reports
LINGER_S = 15.0  # that a report is worked at while whoever asked for it asks again only now and then
MOST_KEPT_BYTES = 64 << 20  # of tables that were solved for reports
UNSOLVED = "These house rules have not been solved, so the coach cannot judge the moves."


@dataclass(frozen=True, slots=True)
class Encoded:
    """A report in every language; a rough one has a progress below 1."""

    progress: float
    texts: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A report that is worked out, or was."""

    table: str
    number: int
    rough: asyncio.Future[Encoded]  # done as soon as there is something to show
    task: asyncio.Task[Encoded]
    told: dict[tuple[float, str], Coached] = field(default_factory=dict)  # by progress and language, as somebody asks

    @property
    def failed(self) -> bool:
        return self.task.done() and (self.task.cancelled() or self.task.exception() is not None)

    def tell(self, report: Encoded, language: str) -> Coached:
        language = language if language in report.texts else ENGLISH
        told = report.progress, language
        if told not in self.told:
            decoded = msgspec.json.decode(report.texts[language], type=Coached)
            self.told[told] = msgspec.structs.replace(decoded, progress=report.progress)
        return self.told[told]


@dataclass(frozen=True, slots=True, eq=False)
class Reporter:
    """Requests for a report that is being computed wait for the same one."""

    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING, MOST_EACH))
    known: OrderedDict[str, Job] = field(default_factory=OrderedDict)
    askers: Counter[Job] = field(default_factory=Counter)  # who wait now
    asked: Counter[Job] = field(default_factory=Counter)  # how often somebody asked, while it is worked out
    numbers: count[int] = field(default_factory=lambda: count(1))

    def knows(self, table: str) -> bool:
        """Whether the report of a table is there, or under way."""
        job = self.known.get(table)
        return job is not None and not job.failed

    async def report(
        self,
        address: str,
        table: str,
        read: Callable[[], Awaitable[bytes]],
        wait_s: float | None = None,
        language: str = ENGLISH,
    ) -> Coached:
        """The report of a table; *read* gives its record, and is called only if the report is not there yet.

        With *wait_s* as much as there is after that time, or as soon as a rough report is there: it may be no more
        than the progress.
        """
        job = self.job_of(address, table, read)
        self.askers[job] += 1
        self.asked[job] += 1
        try:
            awaited: set[asyncio.Future[Encoded]] = {job.task}
            if wait_s is not None and not job.rough.done():
                awaited.add(job.rough)
            await asyncio.wait(awaited, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
            return job.tell(await job.task, language) if job.task.done() else self.so_far(job, language)
        finally:
            self.leave(job, 0.0 if wait_s is None else LINGER_S)

    def so_far(self, job: Job, language: str) -> Coached:
        progress = self.worker.progress(job.number)
        return coaching(progress, job.tell(job.rough.result(), language) if job.rough.done() else None)

    def job_of(self, address: str, table: str, read: Callable[[], Awaitable[bytes]]) -> Job:
        if not self.knows(table):
            number, rough = next(self.numbers), asyncio.get_running_loop().create_future()
            self.known[table] = Job(table, number, rough, asyncio.create_task(self.work(number, address, read, rough)))
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
            asyncio.get_running_loop().call_later(linger_s, self.give_up, job, self.asked[job])
        else:
            self.give_up(job, self.asked[job])

    def give_up(self, job: Job, asked: int) -> None:
        """Unless somebody has asked since; whoever asks next must not wait for a report that is being cancelled."""
        if job.task.done():
            self.asked.pop(job, None)
        if job in self.askers or job.task.done() or self.asked[job] != asked:
            return
        del self.asked[job]
        job.task.cancel()
        if self.known.get(job.table) is job:
            del self.known[job.table]

    async def work(
        self, number: int, address: str, read: Callable[[], Awaitable[bytes]], rough: asyncio.Future[Encoded]
    ) -> Encoded:
        found = await self.judged(number, address, read, first=True)
        if found.progress < 1:
            rough.set_result(found)
            try:
                async with asyncio.timeout(REFINE_S):
                    return await self.judged(number, address, read, first=False)
            except (Refused, TimeoutError):  # too many wait, or it takes too long
                found = replace(found, progress=1.0)
        return found

    async def judged(self, number: int, address: str, read: Callable[[], Awaitable[bytes]], *, first: bool) -> Encoded:
        """A long record is read when it is this report's turn, so that only one of them is in memory."""
        async with self.worker.place(address):
            found = await self.worker.run_now(reported, await read(), number, first)
        if found is None:
            raise Refused(Code.NOT_ALLOWED, UNSOLVED)
        return found

    def close(self) -> None:
        self.worker.close()


def reported(record: bytes, number: int = 0, first: bool = False) -> Encoded | None:
    """As much of a report as is shown, in every language: to hand over all lines of a long game would hold up the hall.

    Judging the moves takes seconds, and telling it in one more language takes milliseconds. With *first* a rough one,
    if that is sooner; its progress is less than 1.
    """
    course = course_of(read_record(record, catalogue()))
    try:
        solver = solver_soon(course.game, len(course.names), PATIENCE_S, time.monotonic, folder_of_hall())
    except Unsolvable:
        return None
    finally:
        trim(folder_of_hall(), MOST_KEPT_BYTES)
    if solver is None:
        return None
    rough = solver.rougher()
    begin, end = (0.0, 1.0) if rough is None else (0.0, ROUGH_SHARE) if first else (ROUGH_SHARE, 1.0)
    used = rough if first and rough is not None else solver
    report = report_of(course, used, lambda done: tell_progress(number, begin + (end - begin) * done))
    return Encoded(end, {language: encoded(report, language) for language in languages()})


def encoded(report: Report, language: str) -> bytes:
    return msgspec.json.encode(msgspec.convert({**show_report(report, language), "progress": 1.0}, Coached))


def folder_of_hall() -> Path:
    """Where tables lie that were solved because strangers asked: a folder apart, which is kept small."""
    return CACHE.path() / "hall"
