"""The coach after a game: what luck and play did in it, worked out once, in a process of its own."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.core.game import Refused
from dicehall.games import catalogue
from dicehall.lab.coach import report_of
from dicehall.lab.moments import course_of
from dicehall.lab.shown import show_report
from dicehall.lab.solved import solver_soon
from dicehall.launch.thinking import Thinkers
from dicehall.server.bodies import Coached
from dicehall.solvers.race import Unsolvable
from dicehall.table.requests import Code
from dicehall.wire.record import read_record

PATIENCE_S = 20.0  # that solving small house rules may take
REMEMBERED = 64  # reports
UNSOLVED = "Nobody has solved these house rules, so nobody can say what a move was worth."


@dataclass(frozen=True, slots=True, eq=False)
class Reporter:
    """Who asks for a report that is being worked out waits for the same one; DO or DICE takes half a minute."""

    thinkers: Thinkers = field(default_factory=Thinkers)
    known: OrderedDict[str, asyncio.Task[Coached]] = field(default_factory=OrderedDict)

    async def report(self, table: str, record: bytes) -> Coached:
        task = self.known.pop(table, None)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(self.work(record))
        self.known[table] = task
        while len(self.known) > REMEMBERED:
            self.known.popitem(last=False)
        return await asyncio.shield(task)

    async def work(self, record: bytes) -> Coached:
        found = await self.thinkers.apart(reported, record)
        if found is None:
            raise Refused(Code.NOT_ALLOWED, UNSOLVED)
        return msgspec.convert(found, Coached)

    def close(self) -> None:
        self.thinkers.close()


def reported(record: bytes) -> dict[str, Any] | None:
    course = course_of(read_record(record, catalogue()))
    try:
        solver = solver_soon(course.game, len(course.names), PATIENCE_S, time.monotonic)
    except Unsolvable:
        return None
    return None if solver is None else show_report(report_of(course, solver))
