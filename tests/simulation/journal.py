"""The journal as one process has it: an honest disk behind a connection on which everything can go wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dicehall.table.ports import Commit, Head, Outage, Row, Taken, Unavailable, Uncertain

if TYPE_CHECKING:
    from tests.simulation.process import Process

SPINS = 200  # lost races in a row under one number
MOST = 1_000  # acts of one table


class FaultyJournal:
    def __init__(self, process: Process) -> None:
        self.process = process
        self.world = process.world
        self.disk = process.world.disk
        self.chance = process.world.chance(f"journal {process.name}")
        self.lost_races: tuple[str, int, int] = ("", 0, 0)

    # -- writing ---------------------------------------------------------------------------------

    async def append(self, commit: Commit) -> None:
        try:
            await self.travel()
            if not self.world.stormy:
                return self.write(commit)
            await self.trouble(commit)
        except asyncio.CancelledError:  # the process died while this was on its way
            self.orphaned(commit)
            raise

    async def trouble(self, commit: Commit) -> None:
        weather, roll = self.world.weather, self.chance.random()
        for share, fault in (
            (weather.failing, self.failing),
            (weather.uncertain, self.uncertain),
            (weather.dying, self.dying),
        ):
            if roll < share:
                return fault(commit)
            roll -= share
        self.write(commit)

    def write(self, commit: Commit) -> None:
        if commit.row.seq > MOST:
            self.world.wrong("no endless loop", commit.row.table, f"act {commit.row.seq} is one too many")
            self.process.die("it never stops")
        try:
            self.disk.append(commit)
        except Taken:
            table, seq, times = self.lost_races
            again = (table, seq) == (commit.row.table, commit.row.seq)
            self.lost_races = (commit.row.table, commit.row.seq, times + 1 if again else 1)
            if times > SPINS:
                self.world.wrong("no endless loop", commit.row.table, f"act {seq} is tried for ever")
                self.process.die("it spins")
            raise

    def failing(self, commit: Commit) -> None:
        raise Unavailable("The disk is full.")

    def uncertain(self, commit: Commit) -> None:
        """Nobody can say: stored, not stored, or stored a little later."""
        outcome = self.chance.choice(("stored", "lost", "later"))
        self.world.note(f"commit {commit.row.table}/{commit.row.seq} uncertain: {outcome}")
        if outcome == "stored":
            self.write(commit)
        elif outcome == "later":
            self.later(commit)
        raise Uncertain("The connection to the store broke.")

    def dying(self, commit: Commit) -> None:
        """A torn write is the first of these: the process is gone and nothing of the commit is there."""
        roll = self.chance.random()
        if roll < 0.3:
            self.process.die(f"just before {commit.row.table}/{commit.row.seq} is durable")
        if roll < 0.6:  # so late that the next process may have read the table already: a lost race
            self.world.later(self.chance.uniform(0.1, 4.0), self.arrives_late, commit)
            self.process.die(f"with {commit.row.table}/{commit.row.seq} on its way", back_in=0.05)
        self.write(commit)
        self.process.die(f"just after {commit.row.table}/{commit.row.seq} is durable")

    def orphaned(self, commit: Commit) -> None:
        if self.process.alive:
            return
        outcome = self.chance.random()
        if outcome < 0.3:
            self.arrives_late(commit)
        elif outcome < 0.6:
            self.later(commit)

    def later(self, commit: Commit) -> None:
        self.world.later(self.chance.uniform(0.0, 1.5), self.arrives_late, commit)

    def arrives_late(self, commit: Commit) -> None:
        try:
            self.disk.append(commit)
        except Taken:
            return
        self.world.note(f"commit {commit.row.table}/{commit.row.seq} arrives late")

    # -- reaching it -------------------------------------------------------------------------------

    async def travel(self) -> None:
        """The way to the disk: out of reach, slow, or nothing at all."""
        if not self.process.alive:
            raise asyncio.CancelledError
        if self.world.unreachable:
            await asyncio.sleep(self.chance.uniform(0.0, 2.0))
            if self.world.unreachable:
                raise Unavailable("The store is out of reach.")
        if self.world.stormy and self.chance.random() < self.world.weather.slow:
            await asyncio.sleep(self.chance.choice((0.001, 0.02, 0.3, 1.8)))

    # -- reading -----------------------------------------------------------------------------------

    async def rows(self, table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        await self.travel()
        return self.disk.rows.get(table, [])[after : None if most is None else after + most]

    async def secret(self, table: str) -> bytes | None:
        await self.travel()
        return self.disk.secrets.get(table)

    async def heads(self) -> Sequence[Head]:
        await self.travel()
        return [head for head in self.disk.heads.values() if head.status not in ("over", "abandoned")]

    # -- pulses ------------------------------------------------------------------------------------

    async def pulse(self, process: str, at: int) -> None:
        await self.travel()
        self.disk.pulses[process] = at

    async def last_pulse(self) -> int | None:
        await self.travel()
        return max(self.disk.pulses.values(), default=None)

    async def add_outage(self, outage: Outage) -> None:
        await self.travel()
        if outage not in self.disk.outages:
            self.disk.outages.append(outage)

    async def outages(self) -> Sequence[Outage]:
        await self.travel()
        return list(self.disk.outages)

    # -- the archive is no part of this ------------------------------------------------------------

    async def archive(self, table: str, record: bytes, acts: bytes | None = None) -> None:
        raise NotImplementedError

    async def archived(self, table: str) -> bytes | None:
        return None

    async def archived_acts(self, table: str) -> bytes | None:
        return None
