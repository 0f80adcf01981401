"""The journal in a PostgreSQL database, which several processes may share."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import asyncpg

from dicehall.core.game import Refused
from dicehall.store.errors import StoreError
from dicehall.store.host import LIVE, check_head
from dicehall.store.postgres_address import check_url, shown_url
from dicehall.store.postgres_connection import (
    CONNECT_S,
    LOST,
    Connection,
    Pool,
    connect_patiently,
    make_pool,
    sentence_of,
    told,
)
from dicehall.store.postgres_group_reads import GroupReads
from dicehall.store.postgres_schema import migrate
from dicehall.store.postgres_writer import PostgresWriter, Statements, Work, Write
from dicehall.table.ports import Commit, Damaged, Head, JournalError, Outage, Row, Taken, Unavailable, Uncertain
from dicehall.table.requests import Code

T = TypeVar("T")

CONNECTIONS = 8  # for short questions and for changes of what is no journal's
LIST_CONNECTIONS = 2  # for lists and counts, which may take long
MOST_WAITING = 64  # lists and counts
ALONE = 0x44696366  # the lock of what one process does for all
FRESH_S = 5  # after which other processes may have stored something that changes a count

ROWS = """SELECT heads.seq, acts.seq, act, acts.at, account, id FROM heads
    LEFT JOIN acts ON acts.name = heads.name AND acts.seq > $2 AND acts.seq <= least(heads.seq, $3)
    WHERE heads.name = $1 ORDER BY acts.seq"""
MOST_ROWS = 1 << 40
HEADS = f"""SELECT name, seq, deadline, status, attended, carriers FROM heads
    WHERE (status IN {LIVE} OR NOT $1) AND (deadline <= $2 OR $2 IS NULL) ORDER BY deadline NULLS LAST, name"""
PULSE = "INSERT INTO pulses VALUES ($1, $2) ON CONFLICT (process) DO UPDATE SET at = excluded.at"
# An outage of the whole hall is noticed by every process that comes back, and stored once.
OUTAGE = """INSERT INTO outages SELECT $1::text, $2::bigint, $3::bigint
    WHERE $1 <> '' OR NOT EXISTS (SELECT FROM outages WHERE process = '' AND since < $3 AND till > $2)
    ON CONFLICT DO NOTHING"""
OUTAGES = "SELECT since, till, process FROM outages ORDER BY since, till"
ARCHIVE = "INSERT INTO archive VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"


UNKNOWN = (asyncpg.DataError, ValueError)  # nothing that is stored can be found by such a value


async def open_postgres(url: str) -> PostgresJournal:
    """Connect and migrate, or raise StoreError."""
    check_url(url)
    try:
        connection = await connect_patiently(url)
        try:
            with told(url):
                await migrate(connection, url)
        finally:
            await connection.close()
    except Unavailable as error:
        raise StoreError(str(error)) from None
    return PostgresJournal(url)


class PostgresJournal:
    """Belongs to the event loop in which it was made. A cancelled append may still be stored: read to know."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.process = secrets.token_hex(6)  # by which others know whose notifications these are
        self._closed = False
        self._closing: asyncio.Task[None] | None = None
        self._changes = 0
        self._waiting = 0
        self._writer = PostgresWriter(url, self.process)
        self._pool = make_pool(url, CONNECTIONS)
        self._lists = make_pool(url, LIST_CONNECTIONS, statement_timeout="2s", default_transaction_read_only="on")
        self._pools_ready = asyncio.Lock()
        self._group_reads = GroupReads(self.fetch)

    @property
    def name(self) -> str:
        """For people: where this journal is kept."""
        return shown_url(self.url)

    @property
    def version(self) -> int:
        """Changes with everything that is stored beside the journals, here or some seconds ago elsewhere."""
        return self._changes + int(time.monotonic()) // FRESH_S

    # -- journals -----------------------------------------------------------------------------------

    def append(self, commit: Commit) -> asyncio.Future[None]:
        check_head(commit)
        stored = self._write(commit.row.table, commit)
        if commit.also:
            stored.add_done_callback(self._changed)
        return stored

    async def rows(self, table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        first = max(after, 0)
        found = await self._read(table, first, most)
        if not found:
            return []
        head = found[0][0]
        rows = [Row(table, *columns[1:]) for columns in map(tuple, found) if columns[1] is not None]
        if [row.seq for row in rows] != list(range(first + 1, min(head, first + (most or head)) + 1)):
            raise Damaged(f"{self.name} is damaged: acts of table {table} are missing.")
        return rows

    async def secret(self, table: str) -> bytes | None:
        return await self.value(bytes, "SELECT secret FROM secrets WHERE name = $1", table)

    async def heads(self, live: bool = True) -> Sequence[Head]:
        return [to_head(row) for row in await self.fetch(HEADS, live, None)]

    async def due(self, before: int) -> Sequence[Head]:
        return [to_head(row) for row in await self.fetch(HEADS, True, before)]

    async def archive(self, table: str, record: bytes, acts: bytes | None = None) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute("SELECT FROM heads WHERE name = $1 FOR UPDATE", table)
            await connection.execute(ARCHIVE, table, record, acts)
            for kept in ("acts", "secrets", "heads"):
                await connection.execute(f"DELETE FROM {kept} WHERE name = $1", table)

        await self._write(table, work)

    async def archived(self, table: str) -> bytes | None:
        return await self.value(bytes, "SELECT record FROM archive WHERE name = $1", table)

    async def archived_acts(self, table: str) -> bytes | None:
        return await self.value(bytes, "SELECT acts FROM archive WHERE name = $1", table)

    # -- processes ----------------------------------------------------------------------------------

    async def pulse(self, process: str, at: int) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute(PULSE, process, at)

        await self._write("", work)

    async def last_pulse(self) -> int | None:
        return await self.value(int, "SELECT max(at) FROM pulses")

    async def add_outage(self, outage: Outage) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute(OUTAGE, outage.process, outage.since, outage.till)

        await self._write("", work)

    async def outages(self) -> Sequence[Outage]:
        return [Outage(*row) for row in await self.fetch(OUTAGES)]

    async def copied_at(self) -> int | None:
        """When this database was copied from the one of a hall, if somebody who restored it said so."""
        return await self.value(int, "SELECT min(at) FROM copied")

    async def remove_copy_mark(self) -> None:
        await self.execute("DELETE FROM copied")

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """The lock ends with its connection, and so with a process that is killed."""
        connection = await connect_patiently(self.url)
        try:
            with told(self.url):
                await connection.execute("SELECT pg_advisory_lock($1)", ALONE)
            yield
        finally:
            connection.terminate()

    # -- what is no journal's -------------------------------------------------------------------------

    async def change(self, statements: Callable[[Connection], Awaitable[T]]) -> T:
        """Write what is no journal's, in one transaction; Taken if a row is there already, and then nothing stays."""
        answer = await self.transact(statements)
        self._changes += 1
        return answer

    async def transact(self, statements: Callable[[Connection], Awaitable[T]]) -> T:
        """The same for what nothing is counted from."""
        connection = await self._acquire(self._pool)
        try:
            async with connection.transaction():
                return await statements(connection)
        except Taken:
            raise
        except asyncpg.UniqueViolationError as no:
            raise Taken(f"This is already in use ({no.constraint_name}).") from None
        except (asyncpg.PostgresError, *LOST) as error:
            unsure = isinstance(error, LOST) or connection.is_closed()
            raise (Uncertain if unsure else Unavailable)(sentence_of(error, self.url)) from None
        except ValueError as error:  # a character that PostgreSQL cannot store
            raise Unavailable(f"This cannot be stored: {error}.") from None
        finally:
            await self._release(self._pool, connection)

    async def execute(self, sql: str, *values: Any) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute(sql, *values)

        await self.change(work)

    async def ask(self, question: Callable[[Connection], Awaitable[T]]) -> T:
        """Read something short."""
        return await self._ask(self._pool, question)

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        return await self.ask(lambda connection: connection.fetch(sql, *values))

    async def value(self, kind: type[T], sql: str, *values: Any) -> T | None:
        found: T | None = await self.ask(lambda connection: connection.fetchval(sql, *values))
        return found

    async def look_up(self, question: Callable[[Connection], Awaitable[T]]) -> T:
        """Read a list, or count something; refused where that takes too long or too many ask."""
        if self._waiting >= MOST_WAITING:
            raise Refused(Code.RATE_LIMITED, "Too many people are asking for this right now.", retry_after=2)
        self._waiting += 1
        try:
            return await self._ask(self._lists, question)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._writer.close()
            self._closing = asyncio.create_task(self._close())

    async def wait_closed(self) -> None:
        if self._closing is not None:
            await self._closing

    async def _close(self) -> None:
        await self._writer.wait_closed()
        for pool in (self._pool, self._lists):
            with suppress(Exception):
                pool.terminate()

    # -- how it is done -------------------------------------------------------------------------------

    def _changed(self, _: asyncio.Future[None]) -> None:
        self._changes += 1

    def _write(self, table: str, work: Work | Statements) -> asyncio.Future[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._closed:
            future.set_exception(closed())
        else:
            self._writer.put(Write(table, work, future))
        return future

    async def _read(self, table: str, after: int, most: int | None) -> Sequence[Any]:
        """Rows of a table with its head. The new acts of a table that is known are few, and read in groups."""
        if after > 0 and most is None and (found := await self._group_reads.read(table, after)) is not None:
            return found
        return await self.fetch(ROWS, table, after, MOST_ROWS if most is None else after + most)

    async def _ask(self, pool: Pool, question: Callable[[Connection], Awaitable[T]]) -> T:
        connection = await self._acquire(pool)
        try:
            return await question(connection)
        except (JournalError, Refused):
            raise
        except asyncpg.QueryCanceledError as error:
            if pool is not self._lists:  # whoever reads a journal must not take it for a no
                raise Unavailable(sentence_of(error, self.url)) from None
            raise Refused(Code.RATE_LIMITED, "This is taking too long to count right now.", retry_after=10) from None
        except UNKNOWN:
            raise Refused(Code.BAD_REQUEST, "This contains a character or a number that cannot be stored.") from None
        except (asyncpg.PostgresError, *LOST) as error:
            raise Unavailable(sentence_of(error, self.url)) from None
        finally:
            await self._release(pool, connection)

    async def _acquire(self, pool: Pool) -> Any:
        if self._closed:
            raise closed()
        with told(self.url):
            async with self._pools_ready:
                await pool
            return await pool.acquire(timeout=CONNECT_S)

    async def _release(self, pool: Pool, connection: Any) -> None:
        with suppress(Exception):  # one that broke is thrown away
            await pool.release(connection)


def to_head(row: Sequence[Any]) -> Head:
    table, seq, deadline, status, attended, carriers = row
    return Head(table, seq, deadline, status, attended, tuple(carriers.split()))


def closed() -> Unavailable:
    return Unavailable("The journal is closed.")
