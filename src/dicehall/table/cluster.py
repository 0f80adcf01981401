"""Several processes on one journal: any of them can serve any table, and all clean up after one that dies.

The number of an act is the fence: if two processes write to a table, one wins and the other reads on. Everything
here only decides who tries, and what happens to a clock whose player was served by a process that died.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Protocol

from dicehall.core.game import Refused
from dicehall.table.chairs import Carriage, process_of
from dicehall.table.clocks import KEEP_MS, Due, Kind, OnHold, chairs_due
from dicehall.table.live import LiveTable
from dicehall.table.ports import JournalError, Nodes, Outage
from dicehall.table.pulse import Pulse
from dicehall.table.requests import Carry, Code, Lose, Request, Restart
from dicehall.table.shared_clock import SharedClock
from dicehall.table.state import TableState

LOOK_S = 1.0
SWEEP_MS = 2_000  # after a deadline: whoever stored the last act has had a second to do it
DEAD_MS = 15_000  # after its last pulse a process is gone, and its connections have ended
BURIED_AT_ONCE = 50  # tables
ARCHIVE_MS = 60_000  # after the process that should have archived a table

log = logging.getLogger(__name__)


class Asks(Protocol):
    async def __call__(
        self, table: str, request: Request, account: str | None = None, id: str | None = None
    ) -> Any: ...


@dataclass(slots=True, eq=False)
class Cluster:
    """What this process knows of the others, and what it does for them."""

    nodes: Nodes
    clock: SharedClock
    process: str
    pulse: Pulse
    tables: Mapping[str, LiveTable]
    reach: Callable[[str], Awaitable[LiveTable]]
    ask: Asks
    ring: Callable[[str], Awaitable[None]]
    spawn: Callable[[Any], None]
    forget: Callable[[str], None]
    frozen: Set[str]  # tables that cannot be loaded
    pulses: Mapping[str, int] = field(default_factory=dict)  # as they were a second ago
    burials: set[str] = field(default_factory=set)  # of these processes, by this one

    # -- being told -------------------------------------------------------------------------------

    def moved(self, table: str, seq: int) -> None:
        """Follow a table that moved; one without subscribers here is read on request."""
        live = self.tables.get(table)
        if live is None or seq <= live.state.seq:
            return
        if live.listeners.by_id:
            live.heard(seq)
        elif live.idle:
            live.mine = False
            live.ports.schedule(table, live.alarm())

    def said(self, table: str, shown: dict[str, Any], optional: bool) -> None:
        if live := self.tables.get(table):
            (live.listeners.offer if optional else live.listeners.mention)(table, shown)

    def missed(self) -> None:
        self.spawn(self.catch_up())

    async def catch_up(self) -> None:
        """After a lost connection: check all tables that have subscribers here."""
        standing = {table: live.state.seq for table, live in self.tables.items() if live.listeners.by_id}
        while True:
            try:
                for table, seq in (await self.nodes.moved(standing)).items():
                    self.moved(table, seq)
                return
            except JournalError:
                await asyncio.sleep(LOOK_S)

    # -- looking after each other -------------------------------------------------------------------

    async def start(self) -> None:
        self.nodes.listen(self)
        await self.nodes.time()  # which also connects: in a reading that would pass for the way of the request
        await self.set_clock()

    async def keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
            except (JournalError, Refused) as trouble:
                log.info("cannot check on other processes: %s", trouble)
            except Exception:  # a bug of ours: without sweeps and without the shared clock it would be worse
                log.exception("cannot check on other processes")

    async def look(self) -> None:
        await self.set_clock()
        now = self.clock.now()
        self.drop_unused(now)
        self.pulses = await self.nodes.pulses()
        for table in await self.nodes.sweep(now - SWEEP_MS, now - KEEP_MS - ARCHIVE_MS, now):
            self.spawn(self.ring(table))
        if self.pulse.returning() == 0:
            self.bury_silent(now)

    def drop_unused(self, now: int) -> None:
        """Drop tables without subscribers here that another process handles; they are read again when needed."""
        for table, live in tuple(self.tables.items()):
            if not live.mine and not live.listeners.by_id and live.idle and now - live.state.at > KEEP_MS:
                self.forget(table)

    async def set_clock(self) -> None:
        before = self.clock.elapsed()
        time = await self.nodes.time()
        self.clock.set(time, before, self.clock.elapsed())

    def bury_silent(self, now: int) -> None:
        """Clean up in the background: a process that held thousands of seats takes a while."""
        for process, last in self.pulses.items():
            if now - last >= DEAD_MS and process != self.process and process not in self.burials:
                self.burials.add(process)
                self.spawn(self.bury(process, last))

    async def bury(self, process: str, last: int) -> None:
        """End the connections of a dead process; after that, nobody waits for it any more."""
        try:
            tables = await self.nodes.carried_by(process)
            for start in range(0, len(tables), BURIED_AT_ONCE):
                if (await self.nodes.pulses()).get(process) != last:
                    return  # it lives after all, or another process was faster
                some = tables[start : start + BURIED_AT_ONCE]
                await asyncio.gather(*(self.end_connections(table, process) for table in some))
            if not set(await self.nodes.carried_by(process)) - self.frozen:
                await self.nodes.bury(Outage(last, max(last + DEAD_MS, self.clock.now()), process))
        except (JournalError, Refused) as trouble:
            log.info("cannot clean up after process %s: %s", process, trouble)
        finally:
            self.burials.discard(process)

    async def end_connections(self, table: str, process: str) -> None:
        """Mark the seats that a process carried at a table as away; frozen tables are skipped."""
        try:
            live = await self.reach(table)
            for chair in live.state.chairs:
                if chair.conn is not None and process_of(chair.conn) == process:
                    await self.ask(table, Lose(chair.conn))
        except Refused:
            if table not in self.frozen:
                raise

    def is_alive(self, process: str) -> bool:
        """Whether a process is alive, as far as this one knows."""
        return process == self.process or self.clock.now() - self.pulses.get(process, 0) < DEAD_MS

    def returned(self, table: str, conn: str, account: str | None) -> None:
        """Others thought this process dead, but it was not: players still connected here are present."""
        self.spawn(self.carry(table, conn, account))

    async def carry(self, table: str, conn: str, account: str | None) -> None:
        while (live := self.tables.get(table)) is not None and conn in live.listeners.by_id:
            try:
                await self.ask(table, Carry(conn, quiet=True), account)
                return
            except Refused as refused:
                log.debug("connection %s cannot be attached to its seat again: %s", conn, refused)
                if refused.code != Code.STORE_UNAVAILABLE:
                    return
            await asyncio.sleep(LOOK_S)

    def delayed(self, table: str, delay: Outage) -> None:
        """A player here had less time than due. If this process had an outage, that is made up for anyway."""
        if not self.pulse.silent:
            self.spawn(self.restart(table, delay))

    async def restart(self, table: str, delay: Outage) -> None:
        try:
            await self.ask(table, Restart(delay.since, delay.till))
        except Refused as refused:
            log.info("the clock of table %s, which began late, cannot be restarted: %s", table, refused)

    # -- what a deadline is worth ---------------------------------------------------------------------

    async def void(self, state: TableState, due: Due) -> Outage | None:
        """The outage during which this clock ran while its player's process was down (C5).

        While such a process is silent, its players' deadlines are on hold: one gap means one restart.
        """
        await self.pulse.outages()  # our own ends here, or raises as the journal does
        carriages = [one for chair in chairs_due(state, due) for one in chair.carried if one.meets(due.since, due.at)]
        pulses = await self.nodes.pulses()
        for carriage in carriages:
            self.check_alive(carriage, due, pulses)
        known = await self.nodes.outages_of({"", *(one.process for one in carriages)})
        hit = [outage for outage in known if is_hit(outage, due, carriages)]
        return max(hit, key=lambda outage: outage.till, default=None)

    def check_alive(self, carriage: Carriage, due: Due, pulses: Mapping[str, int]) -> None:
        """Check that the process that held a seat was alive up to the deadline, or until another one took it over."""
        end = due.at if carriage.till is None else min(due.at, carriage.till)
        last = pulses.get(carriage.process)  # None once it is buried
        if carriage.process != self.process and last is not None and last < end:
            raise OnHold


def is_hit(outage: Outage, due: Due, carriages: Iterable[Carriage]) -> bool:
    """Whether a clock ran during this outage of the hall, or of a process that held the seat at that time."""
    if due.kind is Kind.CLOSING or not (outage.since < due.at and outage.till > due.since):
        return False
    return not outage.process or any(
        one.process == outage.process and one.meets(outage.since, outage.till) for one in carriages
    )
