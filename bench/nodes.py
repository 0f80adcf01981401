"""Nodes on PostgreSQL against one server on SQLite: moves a second, CPU per move, and how soon other nodes hear of one.

    python bench/nodes.py [--quick] [--only moves|spectators] [--tables N] [--rounds N] [folder]

Starts everything itself on this machine, on free ports: a PostgreSQL that syncs every commit, with two databases, and
the servers as they ship. They take turns under one load generator, which has a core of its own as far as there are
two; a single node and the SQLite server have the other, two nodes one each, and PostgreSQL runs wherever there is time.
Only figures of one run may be compared. CPU is counted for nodes, PostgreSQL and the generator separately, because here
they share two cores and elsewhere they do not. Takes about two minutes (--quick: one) and stops by itself. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import asyncpg
import uvloop

from bench.load.disk import sync_latency
from bench.load.hall import UPDATE, Hall
from bench.load.main import machine, show
from bench.load.phases import Side, in_parts, tick
from bench.load.processes import LOAD_CORE, SERVER_CORE, cpu_seconds, dicehall, free_port, node
from bench.load.table import Table, Tally
from tools.postgres import PostgresServer, children_of

TABLES, PACED_TABLES, PER_SECOND = 1000, 100, 500
MOVES_S, PACED_S, WARM_S = 6.0, 8.0, 1.0
DATABASES = ("one_node", "two_nodes")


@dataclass(frozen=True, slots=True)
class Cpu:
    """s that somebody has used so far."""

    nodes: tuple[float, ...]
    postgres: float
    generator: float

    def since(self, before: Cpu) -> Cpu:
        nodes = tuple(now - then for now, then in zip(self.nodes, before.nodes, strict=True))
        return Cpu(nodes, self.postgres - before.postgres, self.generator - before.generator)


@dataclass(slots=True, eq=False)
class Contender:
    name: str
    hall: Hall
    nodes: tuple[int, ...]  # processes
    side: Side
    postgres: PostgresServer | None = None
    doors: tuple[Hall, ...] = ()  # one for each node
    seen: list[tuple[float, int, Cpu, list[float]]] = field(default_factory=list)  # s, moves, CPU, latencies
    commits: list[float] = field(default_factory=list)  # of PostgreSQL, a second

    def cpu(self) -> Cpu:
        pids = [] if self.postgres is None else [self.postgres.process.pid, *children_of(self.postgres.process.pid)]
        return Cpu(tuple(map(cpu_seconds, self.nodes)), sum(map(used, pids)), time.process_time())

    async def transactions(self) -> int:
        """That PostgreSQL has committed, in all its databases."""
        if self.postgres is None:
            return 0
        connection = await asyncpg.connect(self.postgres.url())
        try:
            return int(await connection.fetchval("SELECT sum(xact_commit) FROM pg_stat_database"))
        finally:
            await connection.close()

    async def measure(self, seconds: float) -> None:
        """While others move already."""
        await asyncio.sleep(WARM_S)
        tally, committed, since = self.side.tally, await self.transactions(), time.perf_counter()
        tally.latencies.clear()
        begun, before = time.perf_counter(), self.cpu()
        await asyncio.sleep(seconds)
        took, cpu = time.perf_counter() - begun, self.cpu().since(before)
        if tally.refused or any(line.closed for table in self.side.tables for line in table.lines):
            raise RuntimeError(f"{self.name} refused or hung up: {tally.refused[:1]}")
        self.seen.append((took, len(tally.latencies), cpu, list(tally.latencies)))
        self.commits.append((await self.transactions() - committed) / (time.perf_counter() - since))

    async def play(self, seconds: float) -> None:
        """Everybody moves as soon as they hear that it is their turn."""
        self.side.tally.keen = True
        for table in self.side.tables:
            table.move(time.perf_counter())
        await self.measure(seconds)
        self.side.tally.keen = False
        await self.side.rest()

    async def play_at(self, per_second: float, seconds: float) -> None:
        ticking = asyncio.create_task(tick(self.side.tables, per_second))
        await self.measure(seconds)
        ticking.cancel()
        await self.side.rest()

    def report(self, what: str) -> dict[str, float]:
        seconds, moves = sum(one[0] for one in self.seen), sum(one[1] for one in self.seen)
        nodes = [sum(one[2].nodes[at] for one in self.seen) for at in range(len(self.nodes))]
        figures = {
            "moves_per_s": round(moves / seconds),
            "p50_ms": percentile([late for one in self.seen for late in one[3]], 0.5),
            "p99_ms": percentile([late for one in self.seen for late in one[3]], 0.99),
            "node_cpu_us": round(sum(nodes) / moves * 1e6, 1),
            "postgres_cpu_us": round(sum(one[2].postgres for one in self.seen) / moves * 1e6, 1),
            "generator_cpu_us": round(sum(one[2].generator for one in self.seen) / moves * 1e6, 1),
        }
        share: dict[str, list[float]] = {"node_shares": [round(one / seconds, 2) for one in nodes]}
        share["commits_per_s"] = [round(one) for one in self.commits]
        each = {"moves_per_s_each_round": [round(one[1] / one[0]) for one in self.seen]}
        show(what, server=self.name, **figures, **share, **each)
        return figures


def used(pid: int) -> float:
    try:
        return cpu_seconds(pid)
    except OSError:  # a worker that has ended
        return 0.0


def percentile(seconds: Sequence[float], share: float) -> float:
    return round(sorted(seconds)[int((len(seconds) - 1) * share)] * 1000, 2) if seconds else 0.0


# -- contenders ---------------------------------------------------------------------------------------


async def make_databases(server: PostgresServer) -> None:
    for pid in (server.process.pid, *children_of(server.process.pid)):  # they were started on the generator's core
        os.sched_setaffinity(pid, {LOAD_CORE, SERVER_CORE})
    connection = await asyncpg.connect(server.url())
    for name in DATABASES:
        await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()


def sqlite(stack: ExitStack, folder: Path) -> Contender:
    port, tally = free_port(), Tally()
    pid, hall = stack.enter_context(dicehall(folder, port)), Hall(port, tally)
    return Contender("SQLite", hall, (pid,), Side(hall, pid, tally, []))


def one_node(stack: ExitStack, postgres: PostgresServer) -> Contender:
    port, tally = free_port(), Tally()
    pid, hall = stack.enter_context(node(port, postgres.url(DATABASES[0]), {SERVER_CORE})), Hall(port, tally)
    return Contender("PostgreSQL, one node", hall, (pid,), Side(hall, pid, tally, []), postgres)


def two_nodes(stack: ExitStack, postgres: PostgresServer, *, apart: bool) -> Contender:
    """With the players of a table *apart*, or all at the first node."""
    ports, tally = (free_port(), free_port()), Tally()
    url = postgres.url(DATABASES[1])
    cores = (SERVER_CORE, LOAD_CORE)
    pids = tuple(stack.enter_context(node(port, url, {core})) for port, core in zip(ports, cores, strict=True))
    hall = Hall(ports[0], tally, other_port=ports[1] if apart else None)
    name = "PostgreSQL, two nodes" + (", players apart" if apart else "")
    doors = tuple(Hall(port, tally, addresses=hall.addresses) for port in ports)
    return Contender(name, hall, pids, Side(hall, pids[0], tally, []), postgres, doors)


# -- moves a second --------------------------------------------------------------------------------------


async def moves(folder: Path, tables: int, rounds: int, shorter: float) -> None:
    with ExitStack() as stack:
        postgres = stack.enter_context(PostgresServer(folder, durable=True))
        await make_databases(postgres)
        all = [sqlite(stack, folder), one_node(stack, postgres), two_nodes(stack, postgres, apart=True)]
        for contender in all:
            await contender.side.open(tables)
        sync = sync_latency(folder, tries=50)["median_ms"]
        for number in range(rounds):
            for contender in all if number % 2 == 0 else reversed(all):
                await contender.play(MOVES_S * shorter / rounds * 2)
        what = f"{tables} tables"
        base, *others = [contender.report(what) for contender in all]
        for contender, one in zip(all[1:], others, strict=True):
            show(
                what,
                server=contender.name,
                ratio_moves_per_s=round(one["moves_per_s"] / base["moves_per_s"], 2),
                ratio_by_node_cpu=round(base["node_cpu_us"] / one["node_cpu_us"], 2),
                ratio_by_all_cpu=round(base["node_cpu_us"] / (one["node_cpu_us"] + one["postgres_cpu_us"]), 2),
                sync_ms=sync,
            )


# -- spectators at another node ------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Fanout:
    """When moves were sent, and how long after that somebody heard what they did."""

    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    near: list[float] = field(default_factory=list)  # at the node of the players
    far: list[float] = field(default_factory=list)

    def follow(self, table: Table) -> None:
        written = table.written

        def noting(seat: int, word: str, n: int) -> bytes:
            self.sent[table.id, n + 1] = time.perf_counter()
            return written(seat, word, n)

        table.written = noting

    def heard(self, table: str, late: list[float], message: bytes) -> None:
        now = time.perf_counter()
        if message.startswith(b'{"table"') and b'"n":' in message:
            sent = self.sent.get((table, UPDATE.decode(message).n))
            if sent is not None:
                late.append(now - sent)

    def clear(self) -> None:
        self.sent.clear()
        self.near.clear()
        self.far.clear()


async def watch(hall: Hall, late: list[float], fanout: Fanout, table: Table) -> Table:
    line = await hall.watch(table, 0)
    line.listen(partial(fanout.heard, table.id, late))
    return table


async def spectators(folder: Path, tables: int, rounds: int, shorter: float) -> None:
    with ExitStack() as stack:
        postgres = stack.enter_context(PostgresServer(folder, durable=True))
        await make_databases(postgres)
        both, fanout = two_nodes(stack, postgres, apart=False), Fanout()
        await both.side.open(min(tables, PACED_TABLES))
        seconds = PACED_S * shorter
        await both.play_at(PER_SECOND, seconds)
        alone = both.seen[-1]
        for table in both.side.tables:
            fanout.follow(table)
        for hall, late in zip(both.doors, (fanout.near, fanout.far), strict=True):
            await in_parts(partial(watch, hall, late, fanout), both.side.tables)
        both.seen.clear()
        for _ in range(rounds):
            await both.play_at(PER_SECOND, seconds / rounds)
        report_spectators(both, alone, fanout, sync_latency(folder, tries=50)["median_ms"])


def report_spectators(both: Contender, alone: tuple[float, int, Cpu, list[float]], fanout: Fanout, sync: float) -> None:
    what = f"{len(both.side.tables)} tables, {PER_SECOND} moves/s, a spectator of each table at both nodes"
    both.report(what)
    moves = sum(one[1] for one in both.seen)
    followed = sum(one[2].nodes[1] for one in both.seen) / moves * 1e6
    show(
        what,
        same_node_p50_ms=percentile(fanout.near, 0.5),
        same_node_p99_ms=percentile(fanout.near, 0.99),
        other_node_p50_ms=percentile(fanout.far, 0.5),
        other_node_p99_ms=percentile(fanout.far, 0.99),
        updates=[len(fanout.near), len(fanout.far)],
        other_node_cpu_us_per_move_without_spectators=round(alone[2].nodes[1] / alone[1] * 1e6, 1),
        other_node_cpu_us_per_move_with_spectators=round(followed, 1),
        postgres_cpu_us_per_move_without_spectators=round(alone[2].postgres / alone[1] * 1e6, 1),
        sync_ms=sync,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="shorter phases")
    parser.add_argument("--only", choices=("moves", "spectators"), help="one part")
    parser.add_argument("--tables", type=int, default=TABLES, help=f"how many are played at (default {TABLES})")
    parser.add_argument("--rounds", type=int, default=2, help="how often the servers take turns (default 2)")
    parser.add_argument("folder", nargs="?", help="where the databases are put (default: the temporary folder)")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.sched_setaffinity(0, {LOAD_CORE})
    show("machine", **machine(), generator_core=LOAD_CORE, server_core=SERVER_CORE)
    for name, part in (("moves", moves), ("spectators", spectators)):
        if options.only in (None, name):
            with tempfile.TemporaryDirectory(dir=options.folder) as place:
                Path(place).chmod(0o755)  # PostgreSQL does not run as root
                uvloop.run(part(Path(place), options.tables, options.rounds, 0.5 if options.quick else 1.0))


if __name__ == "__main__":
    main()
