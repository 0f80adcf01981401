"""Group commit on PostgreSQL: one connection writes all that waits in one transaction, an act for each table.

Of several works for one table the first goes now and the others with the next transaction, in the order they came.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import asyncpg
import msgspec

from dicehall.store.postgres_connection import COMMAND_S, LOST, Connection, connect, sentence_of
from dicehall.store.postgres_facts import columns, write_facts
from dicehall.table.ports import Commit, JournalError, Taken, Unavailable, Uncertain

STORE = "SELECT store_acts($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)"
MOST = 1_000  # works in one transaction
NOTICE_BYTES = 6_500  # of one notification: PostgreSQL refuses the whole transaction from 8000 on
NUMBER_BYTES = 24  # of a head in a notification, beside its name
TOO_LONG = -1  # no notification holds such a name

# The fault of one commit, not of the connection: something in it cannot be stored. asyncpg refuses most of it itself.
UNFIT = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.UntranslatableCharacterError, ValueError)
AGAIN = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)

Statements: TypeAlias = Callable[[Connection], Awaitable[Any]]
Work: TypeAlias = Commit | Statements


class Clash(Exception):
    """A fact that comes with an act is known already."""


@dataclass(slots=True)
class Write:
    table: str  # "" where the whole host is meant
    work: Work
    future: asyncio.Future[Any]


class PostgresWriter:
    def __init__(self, url: str, sender: str) -> None:
        self._url = url
        self._sender = sender
        self._connection: Connection | None = None
        self._waiting: list[Write] = []
        self._changed = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run())

    def put(self, write: Write) -> None:
        self._waiting.append(write)
        self._changed.set()

    def close(self) -> None:
        """Store what waits, and end."""
        self._closing = True
        self._changed.set()

    async def wait_closed(self) -> None:
        await asyncio.gather(self._task, return_exceptions=True)
        await self._drop()

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            if not self._waiting:
                self._changed.clear()
                await self._changed.wait()
                continue
            writes = self._take()
            try:
                outcomes = await self._write(writes)
            except Exception as error:  # a bug of ours must not end the task, nor may it be taken for a no
                await self._drop()
                outcomes = [Uncertain(f"It is not known what was stored ({error!r}).") for _ in writes]
            hand_over(writes, outcomes)

    def _take(self) -> list[Write]:
        """The first work for each table, sorted by table, so that all processes lock rows in one order."""
        first: dict[str, Write] = {}
        later: list[Write] = []
        for write in self._waiting:
            if write.table in first or len(first) >= MOST:
                later.append(write)
            else:
                first[write.table] = write
        self._waiting = later
        return [first[table] for table in sorted(first, key=sortable)]

    async def _write(self, writes: Sequence[Write]) -> list[Any]:
        """What came of each work: None or an answer if it is stored, or its error."""
        try:
            return await self._transact(writes)
        except (Clash, *UNFIT, *AGAIN):
            return [await self._write_alone(write) for write in writes]
        except JournalError as error:
            return [type(error)(*error.args) for _ in writes]

    async def _write_alone(self, write: Write) -> Any:
        """Slower, but it shows which one is to blame."""
        try:
            return (await self._transact([write]))[0]
        except (Clash, *AGAIN):
            return Taken(f"Table {write.table} has this act, or one with its id, already.")
        except asyncpg.UniqueViolationError as error:
            return Taken(f"This is already in use ({error.constraint_name}).")
        except UNFIT as error:
            return Unavailable(f"This cannot be stored: {error}.")
        except JournalError as error:
            return error

    async def _transact(self, writes: Sequence[Write]) -> list[Any]:
        """Store all that can be stored. Where nobody can say what became of a transaction, it is Uncertain."""
        connection = await self._connected()
        try:
            async with asyncio.timeout(COMMAND_S):
                return await self._store(connection, writes)
        except (Clash, JournalError, *UNFIT, *AGAIN):
            raise
        except asyncpg.PostgresError as error:
            if isinstance(error, LOST) or connection.is_closed():
                await self._drop()
                raise Uncertain(sentence_of(error, self._url)) from None
            raise Unavailable(sentence_of(error, self._url)) from None
        except LOST as error:
            await self._drop()
            raise Uncertain(sentence_of(error, self._url)) from None

    async def _store(self, connection: Connection, writes: Sequence[Write]) -> list[Any]:
        commits = [write.work for write in writes if isinstance(write.work, Commit)]
        if len(commits) == len(writes) and not any(commit.also for commit in commits):
            stored = await connection.fetchval(STORE, *arguments(commits, self._sender))  # a transaction by itself
            return outcomes_of(writes, frozenset(stored), {})
        async with connection.transaction():
            stored = frozenset(await self._store_acts(connection, commits))
            answers = {write.table: await write.work(connection) for write in writes if callable(write.work)}
        return outcomes_of(writes, stored, answers)

    async def _store_acts(self, connection: Connection, commits: Sequence[Commit]) -> Sequence[str]:
        if not commits:
            return ()
        stored: list[str] = await connection.fetchval(STORE, *arguments(commits, self._sender))
        new = frozenset(stored)
        facts = [fact for commit in commits if commit.row.table in new for fact in commit.also]
        if not await write_facts(connection, facts):
            raise Clash
        return stored

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url)
        return self._connection

    async def _drop(self) -> None:
        """What the database does with an unfinished transaction is read from it later."""
        if self._connection is not None:
            with suppress(Exception):
                self._connection.terminate()
            self._connection = None


def sortable(table: str) -> bytes:
    """As PostgreSQL's collation C sorts; also what it cannot store."""
    return table.encode("utf-8", "surrogatepass")


def arguments(commits: Sequence[Commit], sender: str) -> list[Any]:
    rows = [
        (
            commit.row.table,
            commit.row.seq,
            commit.row.act,
            commit.row.at,
            commit.row.account,
            commit.row.id,
            commit.head.deadline,
            commit.head.status,
            commit.head.attended,
            " ".join(commit.head.carriers),
            commit.secret,
        )
        for commit in commits
    ]
    return [*columns(rows), sender, notices(commit.row.table for commit in commits)]


def notices(tables: Any) -> list[int]:
    """The number of the notification that tells of each table, so that none of them is too long."""
    numbers, number, size = [], 0, 0
    for table in tables:
        wanted = len(msgspec.json.encode(table)) + NUMBER_BYTES
        if wanted > NOTICE_BYTES:
            numbers.append(TOO_LONG)
            continue
        if size + wanted > NOTICE_BYTES:
            number, size = number + 1, 0
        size += wanted
        numbers.append(number)
    return numbers


def outcomes_of(writes: Sequence[Write], stored: frozenset[str], answers: dict[str, Any]) -> list[Any]:
    return [
        answers.get(write.table)
        if not isinstance(write.work, Commit) or write.table in stored
        else Taken(f"Act {write.work.row.seq} of table {write.table} is not the next one, or its id is used.")
        for write in writes
    ]


def hand_over(writes: Sequence[Write], outcomes: Sequence[Any]) -> None:
    for write, outcome in zip(writes, outcomes, strict=True):
        if write.future.done():
            continue  # whoever asked has gone
        if isinstance(outcome, Exception):
            write.future.set_exception(outcome)
        else:
            write.future.set_result(outcome)
