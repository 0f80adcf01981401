"""Several hosts on one journal in memory: what PostgreSQL does for them, with lines that a test can take down."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dicehall.store.host import LIVE
from dicehall.store.memory import MemoryJournal
from dicehall.table.ports import Commit, Hears, Outage, Row, Unavailable, Uncertain
from tests.nodes.suspension import Gate
from tests.table.virtual import VirtualClock

A = TypeVar("A")

SWEPT_MS = 5_000


@dataclass(slots=True, eq=False)
class Hub:
    """The database."""

    clock: VirtualClock
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    nodes: list[HubNodes] = field(default_factory=list)
    swept: dict[str, tuple[int, HubNodes | None]] = field(default_factory=dict)
    stored: list[tuple[Row, int]] = field(default_factory=list)  # in the order of storing, with the true time
    lost_races: int = 0
    ahead: int = 0  # ms by which its clock is wrong
    works: set[asyncio.Task[Any]] = field(default_factory=set)

    def now(self) -> int:
        return self.clock.now() + self.ahead

    def work(self, work: Coroutine[Any, Any, A]) -> asyncio.Task[A]:
        """Do something here, whatever happens to the process that asked for it."""
        task = asyncio.get_running_loop().create_task(work, context=Context())
        self.works.add(task)
        task.add_done_callback(self.forget)
        return task

    def forget(self, task: asyncio.Task[Any]) -> None:
        self.works.discard(task)
        if not task.cancelled():
            task.exception()  # the process that asked may be gone

    def crash(self) -> None:
        """What was not stored yet never will be."""
        for task in tuple(self.works):
            task.cancel()

    def tell_all(self, sender: HubNodes, table: str, seq: int) -> None:
        for node in self.nodes:
            if node is not sender and node.hears is not None and node.line_up:
                moved = node.hears.moved
                asyncio.get_running_loop().call_later(node.lag_s, moved, table, seq, context=node.gate.context())


class HubJournal(MemoryJournal):
    """The journal as one process reaches it."""

    def __init__(self, hub: Hub) -> None:
        self.__dict__.update(hub.journal.__dict__)
        self.hub = hub
        self.nodes: HubNodes
        self.down = False
        self.unreadable = False
        self.is_full = False  # nothing more can be stored, but everything can be read
        self.seconds = 0.0  # that a commit takes
        self.broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def cut(self) -> None:
        """Whatever this process has asked for: it does not hear what became of it."""
        self.down = True
        if not self.broken.done():
            self.broken.set_result(None)

    def mend(self) -> None:
        self.down, self.broken = False, asyncio.get_running_loop().create_future()

    async def append(self, commit: Commit) -> None:
        self.reach()
        storing = self.hub.work(self.store(commit))
        await asyncio.wait({storing, self.broken}, return_when=asyncio.FIRST_COMPLETED)
        if not storing.done() or storing.cancelled():
            raise Uncertain("The line to the database broke.")
        storing.result()

    async def store(self, commit: Commit) -> None:
        await asyncio.sleep(self.seconds / 2)  # the way there
        if self.is_full:
            raise Unavailable("The disk is full.")
        try:
            await super().append(commit)
        except Exception:
            self.hub.lost_races += 1
            raise
        self.hub.stored.append((commit.row, self.hub.clock.now()))
        self.hub.tell_all(self.nodes, commit.row.table, commit.row.seq)
        await asyncio.sleep(self.seconds / 2)  # and the way back

    async def rows(self, table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        self.reach()
        if self.unreadable:
            raise Unavailable("The database takes too long.")
        return await super().rows(table, after, most)

    async def pulse(self, process: str, at: int) -> None:
        await asyncio.sleep(self.seconds)
        self.reach()
        await super().pulse(process, at)

    async def add_outage(self, outage: Outage) -> None:
        await asyncio.sleep(self.seconds)
        self.reach()
        known = [one for one in await self.outages() if one.process == outage.process]
        if outage.process or not any(one.since < outage.till and one.till > outage.since for one in known):
            await super().add_outage(outage)

    def reach(self) -> None:
        if self.down:
            raise Unavailable("The database cannot be reached.")


class HubNodes:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.gate = Gate()
        self.hears: Hears | None = None
        self.line_up = True
        self.lag_s = 0.001
        self.journal = HubJournal(hub)
        self.journal.nodes = self
        hub.nodes.append(self)

    def reconnect(self) -> None:
        self.line_up = True
        if self.hears is not None:
            self.gate.call(self.hears.missed)

    async def time(self) -> int:
        self.journal.reach()
        return self.hub.now()

    async def pulses(self) -> Mapping[str, int]:
        self.journal.reach()
        return dict(self.hub.journal._pulses)

    async def outages_of(self, processes: Collection[str]) -> Sequence[Outage]:
        self.journal.reach()
        return [outage for outage in await self.hub.journal.outages() if outage.process in processes]

    async def bury(self, outage: Outage) -> None:
        self.journal.reach()
        if self.hub.journal._pulses.get(outage.process, outage.since + 1) <= outage.since:
            del self.hub.journal._pulses[outage.process]
            await self.hub.journal.add_outage(outage)

    async def carried_by(self, process: str) -> Sequence[str]:
        self.journal.reach()
        return [head.table for head in await self.hub.journal.heads() if process in head.carriers]

    async def sweep(self, due: int, ended: int, now: int) -> Sequence[str]:
        self.journal.reach()
        found = []
        for head in await self.hub.journal.heads(live=False):
            last = self.hub.journal._rows[head.table][-1].at
            overdue = head.deadline is not None and head.deadline <= due if head.status in LIVE else last <= ended
            if overdue and now - self.hub.swept.get(head.table, (0, None))[0] >= SWEPT_MS:
                self.hub.swept[head.table] = (now, self)
                found.append(head.table)
        return found

    async def claim(self, table: str, now: int) -> bool:
        at, sweeper = self.hub.swept.get(table, (0, None))
        if table not in self.hub.journal._heads or (now - at < SWEPT_MS and sweeper is not self):
            return False
        self.hub.swept[table] = (now, self)
        return True

    async def moved(self, tables: Mapping[str, int]) -> Mapping[str, int]:
        self.journal.reach()
        heads = self.hub.journal._heads
        return {table: heads[table].seq for table, seq in tables.items() if table in heads and heads[table].seq > seq}

    async def tell(self, table: str, shown: dict[str, Any], *, optional: bool = False) -> None:
        for node in self.hub.nodes:
            if node is not self and node.hears is not None and node.line_up:
                node.gate.call(node.hears.said, table, shown, optional)

    def listen(self, hears: Hears) -> None:
        self.hears = hears

    async def stop(self) -> None:
        self.hears = None
