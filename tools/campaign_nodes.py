"""The part `nodes` of a campaign: clients play through a proxy at two servers on one PostgreSQL.

The servers are killed in turn, suspended, and cut off from the database; now and then the database itself is killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import asyncpg

from dicehall.games import catalogue
from dicehall.table.clocks import chairs_due, dues
from dicehall.table.pulse import GAP_MS
from dicehall.table.state import Told
from dicehall.table.story import story
from tests.postgres import Loop
from tests.tcp_proxy import TcpProxy
from tools.campaign_check import Database, rows_of
from tools.campaign_hall import HallProcess
from tools.campaign_known import Down, Fault
from tools.campaign_pipe import now
from tools.campaign_server import ServerCampaign
from tools.postgres import PostgresServer

NODES = 2
LOOK_S = 0.5
DEAD_MS = 10_000  # a process that was silent for so long is dead, because none is suspended longer
SUSPENDED_S = (0.5, 6.0)


class PostgresDatabase:
    """The PostgreSQL that the servers share, read without them."""

    def __init__(self) -> None:
        self.loop = Loop()  # lives as long as the server does
        self.server: PostgresServer = self.loop.run(started())
        self.last_pulses: dict[str, int] = {}  # of each process, as they were seen

    def read(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self.loop.run(self.fetch(query, *values))
        return found

    async def fetch(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        while True:
            try:
                connection = await asyncpg.connect(self.server.url(), timeout=5)
                try:
                    return [tuple(row) for row in await connection.fetch(query, *values)]
                finally:
                    await connection.close()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(0.1)  # it was killed

    async def kill_and_restart(self) -> None:
        self.server.kill()
        self.server.restart()

    async def keep_watching(self) -> None:
        """See which processes live, so that it is known afterwards when each of them died."""
        while True:
            self.last_pulses |= dict(await self.fetch("SELECT process, at FROM pulses"))
            await asyncio.sleep(LOOK_S)

    def stop(self) -> None:
        self.server.stop()
        self.loop.stop()


async def started() -> PostgresServer:
    return PostgresServer()


@dataclass(slots=True, eq=False)
class Node:
    """A server, and its own line to the database."""

    hall: HallProcess
    line: TcpProxy


@dataclass(slots=True, eq=False)
class NodeHall:
    """Several servers behind one port; for clients it is one hall that is always there."""

    file: Path  # where logs go
    bug: str | None
    timing: Random
    database: PostgresDatabase
    nodes: list[Node] = field(default_factory=list)
    front: TcpProxy = field(default_factory=lambda: TcpProxy(0))
    downs: list[Down] = field(default_factory=list)  # of all of them at once: never
    words: tuple[str, ...] = ()
    what: dict[str, int] = field(default_factory=dict)  # what was done to them, and how often
    up: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def port(self) -> int:
        return self.front.port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def begun(self) -> int:
        return min(node.hall.begun for node in self.nodes)

    @property
    def log(self) -> Path:
        return self.file.with_suffix(".log")

    async def start(self, *words: str) -> None:
        if not self.front.port:
            await self.front.__aenter__()
        for at in range(NODES if not self.nodes else 0):
            line = await TcpProxy(self.database.server.port).__aenter__()
            hall = HallProcess(self.file.with_name(f"node-{at}.db"), self.bug)
            hall.database = self.database.server.url(port=line.port)
            self.nodes.append(Node(hall, line))
        for node in self.nodes:
            await node.hall.start(*words)

    async def until_ready(self) -> None:
        for node in self.nodes:
            await node.hall.until_ready()
        self.spread()
        self.up.set()

    def spread(self) -> None:
        """New connections go to any server that lives."""
        self.front.targets = [node.hall.port for node in self.nodes if node.hall.up.is_set()]

    async def trouble(self) -> None:
        """Anything but a kill of a server."""
        node, whim = self.timing.choice(self.nodes), self.timing.random()
        if whim < 0.45 and node.hall.process is not None:
            self.note("suspended", node)
            os.kill(node.hall.process.pid, signal.SIGSTOP)
            await asyncio.sleep(self.timing.uniform(*SUSPENDED_S))
            os.kill(node.hall.process.pid, signal.SIGCONT)
            self.note("continued", node)
        elif whim < 0.9:
            self.note("cut off", node)
            node.line.refusing = True
            node.line.cut()
            self.front.targets = [other.hall.port for other in self.nodes if other is not node]  # as /readyz says
            await asyncio.sleep(self.timing.uniform(*SUSPENDED_S))
            node.line.refusing = False
            await node.hall.until_ready()
            self.note("connected again", node)
            self.spread()
        else:
            self.note("database killed")
            await asyncio.wrap_future(
                asyncio.run_coroutine_threadsafe(self.database.kill_and_restart(), self.database.loop.loop)
            )

    def note(self, what: str, node: Node | None = None) -> None:
        """Count it, and write down when it was, by which a fault can be explained."""
        self.what[what] = self.what.get(what, 0) + 1
        where = "" if node is None else f" node-{self.nodes.index(node)}"
        with self.file.with_name("troubles.log").open("a") as log:
            log.write(f"{now()} {what}{where}\n")

    async def kill(self) -> None:
        """kill -9 of one of them; the others go on, and it comes back after a while."""
        if self.timing.random() < 0.4:
            await self.trouble()
        node = self.timing.choice(self.nodes)
        self.note("killed", node)
        await node.hall.kill()
        self.spread()
        await asyncio.sleep(self.timing.choice((0.0, 0.5, self.timing.uniform(1, 8), self.timing.uniform(15, 20))))
        await node.hall.start()
        await node.hall.until_ready()
        self.spread()

    async def stop_one(self) -> None:
        """A rolling restart: one after the other is told to stop and started again."""
        node = self.timing.choice(self.nodes)
        await node.hall.stop()
        self.spread()
        await node.hall.start()
        await node.hall.until_ready()
        self.spread()

    async def stop(self) -> None:
        for node in self.nodes:
            await node.hall.stop()

    async def clean_up(self) -> None:
        for node in self.nodes:
            await node.hall.clean_up()
            await node.line.__aexit__()
            with suppress(OSError), self.log.open("ab") as log:
                log.write(node.hall.log.read_bytes())
        await self.front.__aexit__()


def unserved(told: Sequence[Told], dead: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Clocks that ran out although the process that served their player had died before (C5).

    A process whose pulses are late may have lived for GAP_MS after the last one, and expired the clock itself.
    """
    for one in told:
        expired = any("expired" in entry for entry in one.act.entries)
        due = next(iter(dues(one.before)), None) if one.before is not None and expired else None
        if one.before is None or due is None:
            continue
        for carriage in [one for chair in chairs_due(one.before, due) for one in chair.carried]:
            end = due.at if carriage.till is None else min(due.at, carriage.till)
            last = dead.get(carriage.process)
            if last is not None and end > max(due.since, last + GAP_MS, carriage.since):
                what = f"act {one.seq}: a clock of {due.since} to {due.at} ran after its process died at {last}"
                yield "unfair_timeouts", what


@dataclass(slots=True, eq=False)
class NodesCampaign(ServerCampaign):
    """Everything as with one server, and nobody is to notice that there are several."""

    def make_hall(self) -> tuple[Path | Database, Any]:
        database = PostgresDatabase()
        return database, NodeHall(self.file, self.bug, self.timing, database)

    def kinds(self) -> Sequence[str]:
        """Without the example bots, which give up where a server cannot reach its database."""
        return ("SS", "SH", "SSS", "HH", "SSH")

    async def run(self, wanted: int, seconds: float) -> None:
        hall: NodeHall = self.hall
        watching = asyncio.run_coroutine_threadsafe(hall.database.keep_watching(), hall.database.loop.loop)
        try:
            await ServerCampaign.run(self, wanted, seconds)
            print(f"beside the kills: {hall.what}", flush=True)
        finally:
            watching.cancel()
            hall.database.stop()

    async def kill_once(self, wanted: int) -> None:
        await asyncio.sleep(self.timing.uniform(0.2, 4.0))
        await self.hall.kill()
        self.kills += 1
        if self.timing.random() < 0.2:
            await self.hall.stop_one()
            self.stops += 1

    def look_at_all(self) -> None:
        ServerCampaign.look_at_all(self)
        hall: NodeHall = self.hall
        last = max(hall.database.last_pulses.values(), default=0)
        dead = {process: at for process, at in hall.database.last_pulses.items() if last - at > DEAD_MS}
        for table in self.ledger.tables:
            rows = rows_of(self.store, table)
            told = list(story(table, rows, catalogue())) if rows else []
            self.checked.update(Fault(kind, table, what) for kind, what in unserved(told, dead))
