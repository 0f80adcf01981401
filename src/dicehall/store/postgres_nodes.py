"""What several processes on one PostgreSQL know of each other: pulses, overdue tables, and notifications.

Notifications are hints: one that is lost with its connection is made up for by looking where tables stand.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

import asyncpg
import msgspec

from dicehall.core.game import Refused
from dicehall.store.postgres import PostgresJournal
from dicehall.store.postgres_connection import LOST, Connection, connect
from dicehall.store.postgres_writer import NOTICE_BYTES
from dicehall.table.ports import Hears, JournalError, Outage

CHANNEL = "dicehall"
BEAT_S = 1.0  # between two looks whether the line is up
ANSWER_S = 2.0
AGAIN_S = 0.3
MOST_SWEPT = 64
SWEPT_MS = 5_000  # for so long a table is left to the process that swept it

TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
LIVE = "status NOT IN ('over', 'abandoned')"
SWEEP = f"""UPDATE heads SET swept = $3::bigint, sweeper = $4 WHERE name IN (
        SELECT name FROM heads WHERE swept <= $3::bigint - {SWEPT_MS}
            AND (CASE WHEN {LIVE} THEN deadline <= $1 ELSE at <= $2 END)
        ORDER BY name LIMIT {MOST_SWEPT} FOR UPDATE SKIP LOCKED
    ) RETURNING name"""
CLAIM = f"""UPDATE heads SET swept = $2::bigint, sweeper = $3
    WHERE name = $1 AND (sweeper = $3 OR swept <= $2::bigint - {SWEPT_MS}) RETURNING name"""
CARRIED = f"SELECT name FROM heads WHERE {LIVE} AND $1 = ANY(string_to_array(carriers, ' '))"
MOVED = """SELECT heads.name, heads.seq
    FROM heads JOIN unnest($1::text[], $2::bigint[]) AS known (name, seq) USING (name) WHERE heads.seq > known.seq"""
OUTAGES = "SELECT since, till, process FROM outages WHERE process = ANY($1::text[]) ORDER BY since, till"

log = logging.getLogger(__name__)


class Notice(msgspec.Struct):
    """What one process tells all others."""

    sender: str = msgspec.field(name="from")
    at: dict[str, int] = {}  # where tables stand
    table: str = ""
    shown: dict[str, Any] | None = None  # what is to be mentioned there
    optional: bool = False  # people who read slowly can miss it


class PostgresNodes:
    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal
        self._hears: Hears | None = None
        self._task: asyncio.Task[None] | None = None

    async def time(self) -> int:
        return await self._journal.value(int, TIME) or 0

    async def pulses(self) -> Mapping[str, int]:
        return dict(await self._journal.fetch("SELECT process, at FROM pulses"))

    async def outages_of(self, processes: Collection[str]) -> Sequence[Outage]:
        return [Outage(*row) for row in await self._journal.fetch(OUTAGES, list(processes))]

    async def bury(self, outage: Outage) -> None:
        async def work(connection: Connection) -> None:
            sql = "DELETE FROM pulses WHERE process = $1 AND at <= $2"
            if await connection.execute(sql, outage.process, outage.since) != "DELETE 0":
                row = (outage.process, outage.since, outage.till)
                await connection.execute("INSERT INTO outages VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", *row)

        await self._journal.transact(work)

    async def carried_by(self, process: str) -> Sequence[str]:
        return [name for (name,) in await self._journal.fetch(CARRIED, process)]

    async def sweep(self, due: int, ended: int, now: int) -> Sequence[str]:
        async def work(connection: Connection) -> list[str]:
            return [name for (name,) in await connection.fetch(SWEEP, due, ended, now, self._journal.process)]

        return await self._journal.transact(work)

    async def claim(self, table: str, now: int) -> bool:
        async def work(connection: Connection) -> bool:
            return await connection.fetchval(CLAIM, table, now, self._journal.process) is not None

        return await self._journal.transact(work)

    async def moved(self, tables: Mapping[str, int]) -> Mapping[str, int]:
        found = await self._journal.fetch(MOVED, list(tables), list(tables.values()))
        return dict(found)

    async def tell(self, table: str, shown: dict[str, Any], *, optional: bool = False) -> None:
        text = msgspec.json.encode(Notice(self._journal.process, {}, table, shown, optional))
        if len(text) <= NOTICE_BYTES:
            with suppress(JournalError, Refused):  # nobody needs it to rebuild anything
                await self._journal.value(str, "SELECT pg_notify($1, $2)", CHANNEL, text.decode())

    # -- listening ----------------------------------------------------------------------------------

    def listen(self, hears: Hears) -> None:
        self._hears = hears
        self._task = asyncio.create_task(self._keep_listening())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep_listening(self) -> None:
        while True:
            try:
                connection = await connect(self._journal.url)
            except JournalError:
                await asyncio.sleep(AGAIN_S)
                continue
            try:
                await self._listen_on(connection)
            except (asyncpg.PostgresError, *LOST) as error:
                log.info("the connection to other processes was down (%s)", type(error).__name__)
            finally:
                connection.terminate()
            await asyncio.sleep(AGAIN_S)

    async def _listen_on(self, connection: Connection) -> None:
        """Until the line breaks. Whatever was told before this began is looked up."""
        await connection.add_listener(CHANNEL, self._heard)
        if self._hears is not None:
            self._hears.missed()
        while True:
            await asyncio.sleep(BEAT_S)
            await connection.fetchval("SELECT 1", timeout=ANSWER_S)

    def _heard(self, _: Connection, pid: int, channel: str, payload: str) -> None:
        try:
            notice = msgspec.json.decode(payload, type=Notice)
        except msgspec.MsgspecError:  # anybody who may use the database can say anything
            log.warning("a notification on channel %s cannot be read", channel)
            return
        if notice.sender == self._journal.process or self._hears is None:
            return
        for table, seq in notice.at.items():
            self._hears.moved(table, seq)
        if notice.shown is not None:
            self._hears.said(notice.table, notice.shown, notice.optional)
