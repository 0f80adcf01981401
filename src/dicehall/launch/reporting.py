"""The coach after a game: what luck and play did in it, worked out once, in a process of its own."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.core.game import Refused
from dicehall.games import catalogue
from dicehall.lab.coach import report_of
from dicehall.lab.moments import course_of
from dicehall.lab.shown import show_report
from dicehall.lab.solved import solver_soon
from dicehall.launch.worker import Worker
from dicehall.server.bodies import Coached
from dicehall.solvers.race import Unsolvable
from dicehall.table.requests import Code
from dicehall.wire.record import read_record

PATIENCE_S = 20.0  # that solving small house rules may take
SECONDS = 120.0  # that one report may take
MOST_WAITING = 8  # reports
REMEMBERED = 64  # reports
UNSOLVED = "Nobody has solved these house rules, so nobody can say what a move was worth."


@dataclass(frozen=True, slots=True, eq=False)
class Reporter:
    """Who asks for a report that is being worked out waits for the same one; DO or DICE takes half a minute."""

    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING))
    known: OrderedDict[str, asyncio.Task[Coached]] = field(default_factory=OrderedDict)
    askers: Counter[asyncio.Task[Coached]] = field(default_factory=Counter)

    async def report(self, table: str, record: bytes) -> Coached:
        task = self.known.pop(table, None)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(self.work(record))
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
                task.cancel()  # where it is not done yet, nobody waits for it any more

    async def work(self, record: bytes) -> Coached:
        found = await self.worker.run(reported, record)
        if found is None:
            raise Refused(Code.NOT_ALLOWED, UNSOLVED)
        return msgspec.convert(found, Coached)

    def close(self) -> None:
        self.worker.close()


def reported(record: bytes) -> dict[str, Any] | None:
    course = course_of(read_record(record, catalogue()))
    try:
        solver = solver_soon(course.game, len(course.names), PATIENCE_S, time.monotonic)
    except Unsolvable:
        return None
    return None if solver is None else show_report(report_of(course, solver))
