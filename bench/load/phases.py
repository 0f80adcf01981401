"""Phases: load on one server for some seconds, and the figures of that."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TypeVar

from bench.load.processes import cpu_seconds
from bench.load.table import Dialect, Table, Tally

T = TypeVar("T")

AT_ONCE = 50  # tables that are opened at the same time
WARM_S = 1.0  # Node compiles as it goes


@dataclass(frozen=True, slots=True)
class Figures:
    """What one phase showed, or several of them together."""

    seconds: float
    cpu: float  # s of the server
    own: float  # s of the load generator
    latencies: tuple[float, ...]
    watched: int

    @property
    def moves(self) -> int:
        return len(self.latencies)

    @property
    def per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def cpu_us(self) -> float:
        return self.cpu / max(1, self.moves) * 1e6

    @property
    def generator_share(self) -> float:
        return self.own / self.seconds

    @property
    def server_share(self) -> float:
        return self.cpu / self.seconds

    def percentile_ms(self, share: float) -> float:
        return sorted(self.latencies)[int((self.moves - 1) * share)] * 1000 if self.moves else 0.0


def together(phases: Sequence[Figures]) -> Figures:
    return Figures(
        sum(one.seconds for one in phases),
        sum(one.cpu for one in phases),
        sum(one.own for one in phases),
        tuple(latency for one in phases for latency in one.latencies),
        sum(one.watched for one in phases),
    )


@dataclass(slots=True, eq=False)
class Side:
    """One of the two servers, with the tables that are open on it."""

    dialect: Dialect
    pid: int
    tally: Tally
    tables: list[Table]

    async def open(self, count: int) -> None:
        self.tables += await in_parts(self.dialect.open, range(len(self.tables), count))

    async def add_spectators(self, each: int) -> None:
        for number in range(each):
            await in_parts(lambda table: self.dialect.watch(table, number), self.tables)  # noqa: B023

    async def play(self, seconds: float) -> Figures:
        """Everybody moves as soon as they hear that it is their turn."""
        self.tally.keen = True
        for table in self.tables:
            table.move(time.perf_counter())
        figures = await self.measure(seconds)
        self.tally.keen = False
        await self.rest()
        return figures

    async def play_at(self, per_second: float, seconds: float) -> Figures:
        """One move of some table at each tick, however long the answers take."""
        ticking = asyncio.create_task(tick(self.tables, per_second))
        figures = await self.measure(seconds)
        ticking.cancel()
        await self.rest()
        return figures

    async def measure(self, seconds: float) -> Figures:
        await asyncio.sleep(WARM_S)
        self.tally.latencies.clear()
        self.tally.watched = 0
        begun, cpu, own = time.perf_counter(), cpu_seconds(self.pid), time.process_time()
        await asyncio.sleep(seconds)
        took, used, mine = time.perf_counter() - begun, cpu_seconds(self.pid) - cpu, time.process_time() - own
        if self.tally.refused or any(line.closed for table in self.tables for line in table.lines):
            raise RuntimeError(f"{self.dialect.name} refused or hung up: {self.tally.refused[:1]}")
        return Figures(took, used, mine, tuple(self.tally.latencies), self.tally.watched)

    async def rest(self) -> None:
        """Until nothing is in flight."""
        for _ in range(200):
            if all(table.idle for table in self.tables):
                return
            await asyncio.sleep(0.05)
        raise RuntimeError(f"{self.dialect.name} does not answer any more.")


async def tick(tables: Sequence[Table], per_second: float) -> None:
    begun, ring = time.perf_counter(), cycle(tables)
    number = 0
    while True:
        number += 1
        due = begun + number / per_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        table = next((table for table, _ in zip(ring, tables, strict=False) if table.idle), None)
        if table is not None:
            table.move(due)


async def in_parts(do: Callable[[T], Awaitable[Table | object]], things: Iterable[T]) -> list[Table]:
    waiting = list(things)
    done: list[Table] = []
    while waiting:
        now, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        done += [one for one in await asyncio.gather(*map(do, now)) if isinstance(one, Table)]
    return done
