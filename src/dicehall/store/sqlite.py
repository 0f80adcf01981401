"""The journal in one SQLite file."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from dicehall.store.batch import Batch, Work
from dicehall.store.book import Book
from dicehall.store.copy_mark import copied_at, remove_mark
from dicehall.store.host import LIVE, check_head
from dicehall.store.lock import ProcessLock
from dicehall.store.opening import check_place, open_database, told
from dicehall.store.reader import Reader
from dicehall.store.writer import Read, Write, Writer
from dicehall.table.ports import Commit, Damaged, Head, Outage, Row, Unavailable

T = TypeVar("T")

ROWS = "SELECT seq, act, at, account, id FROM acts WHERE key = ? AND seq > ? AND seq <= ? ORDER BY seq"
HEADS = f"""SELECT name, seq, deadline, status, attended FROM heads
    WHERE (status IN {LIVE} OR NOT ?) AND (deadline <= ? OR ? IS NULL) ORDER BY deadline IS NULL, deadline, name"""


class SqliteJournal:
    """Opens, makes or migrates the file, or raises StoreError. A cancelled append may still be stored: read to know.

    *synchronous* is for tests that show what it is good for; *patience* is how many ms another program's lock is
    waited for; *checkpoint* is how many pages the log gathers before they are carried into the database.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, synchronous: str = "FULL", patience: int = 2000, checkpoint: int = 4000
    ) -> None:
        self.path = Path(os.path.realpath(path))
        self._closed = False
        with told(self.path), ExitStack() as undo:
            check_place(self.path)
            self._lock = ProcessLock(self.path)
            undo.callback(self._lock.release)
            connection = open_database(self.path, self._lock, synchronous, patience, checkpoint)
            undo.callback(connection.close)
            self._writer = Writer(connection, self.path)
            undo.pop_all()
        self.lists = Reader(self.path, "lists")
        self.counts = Reader(self.path, "counts")
        self.version = 0  # changes with everything that is stored beside the journals

    def append(self, commit: Commit) -> asyncio.Future[None]:
        check_head(commit)
        stored = self._write(commit.row.table, commit)
        if commit.also:
            stored.add_done_callback(self._changed)
        return stored

    async def rows(self, table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        def ask(connection: sqlite3.Connection, book: Book) -> list[Row]:
            place = book.places.get(table)
            if place is None:
                return []
            if place.seq < 1:
                raise Damaged(f"{self.path} is damaged: table {table} has no acts.")
            last = place.seq if most is None else min(place.seq, max(after, 0) + most)
            found = connection.execute(ROWS, (place.key, after, last))
            rows = [Row(table, *columns) for columns in found.fetchall()]
            if [row.seq for row in rows] != list(range(max(after, 0) + 1, last + 1)):
                raise Damaged(f"{self.path} is damaged: acts of table {table} are missing.")
            if not all(isinstance(row.at, int) for row in rows):
                raise Damaged(f"{self.path} is damaged: an act of table {table} has no time.")
            return rows

        return await self._read(ask)

    async def secret(self, table: str) -> bytes | None:
        return await self._blob("SELECT secret FROM secrets JOIN heads USING (key) WHERE name = ?", table)

    async def heads(self, live: bool = True) -> Sequence[Head]:
        return await self._heads(live, None)

    async def due(self, before: int) -> Sequence[Head]:
        return await self._heads(True, before)

    async def pulse(self, process: str, at: int) -> None:
        def work(batch: Batch) -> None:
            batch.pulse(process, at)

        await self._write("", work)

    async def last_pulse(self) -> int | None:
        def ask(connection: sqlite3.Connection, _: Book) -> int | None:
            latest: int | None = connection.execute("SELECT max(at) FROM pulses").fetchone()[0]
            return latest

        return await self._read(ask)

    async def add_outage(self, outage: Outage) -> None:
        def work(batch: Batch) -> None:
            batch.add_outage(outage)

        await self._write("", work)

    async def outages(self) -> Sequence[Outage]:
        def ask(connection: sqlite3.Connection, _: Book) -> list[Outage]:
            return [Outage(*gap) for gap in connection.execute("SELECT since, till FROM outages ORDER BY since, till")]

        return await self._read(ask)

    async def archive(self, table: str, record: bytes, acts: bytes | None = None) -> None:
        def work(batch: Batch) -> None:
            batch.archive(table, record, acts)

        await self._write(table, work)

    async def archived(self, table: str) -> bytes | None:
        return await self._blob("SELECT record FROM archive WHERE name = ?", table)

    async def archived_acts(self, table: str) -> bytes | None:
        return await self._blob("SELECT acts FROM archive WHERE name = ?", table)

    async def copied_at(self) -> int | None:
        """When this database was copied from the one of a hall; None if it is that of a hall itself."""
        return await self.ask(copied_at)

    async def remove_copy_mark(self) -> None:
        await self.change(remove_mark)

    def alone(self) -> AbstractAsyncContextManager[None]:
        """It always is: a second process on the same file is refused."""
        return nullcontext()

    async def change(self, statements: Callable[[sqlite3.Connection], T]) -> T:
        """Write rows outside the journal, in one transaction with all pending work; Taken if a row already exists.

        The statements can run a second time, after a rollback.
        """
        answer: list[T] = []

        def work(batch: Batch) -> None:
            answer[:] = [batch.change(statements)]

        await self._write("", work)
        self.version += 1
        return answer[0]

    async def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Read something outside the journal."""
        return await self._read(lambda connection, _: question(connection))

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.lists.close()
            self.counts.close()
            try:
                self._writer.close()
            finally:
                self._lock.release()

    async def wait_closed(self) -> None:
        """Closing has waited for everything already."""

    async def look_up(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Read a list, away from the journal's thread."""
        return await self._ask(self.lists, question)

    async def count(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Count something, away from the journal's thread and from the lists."""
        return await self._ask(self.counts, question)

    async def _ask(self, reader: Reader, question: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise closed()
        return await reader.ask(question)

    def _changed(self, _: asyncio.Future[None]) -> None:
        self.version += 1

    async def _heads(self, live: bool, before: int | None) -> list[Head]:
        def ask(connection: sqlite3.Connection, _: Book) -> list[Head]:
            found = connection.execute(HEADS, (live, before, before)).fetchall()
            return [to_head(row) for row in found]

        return await self._read(ask)

    async def _blob(self, query: str, table: str) -> bytes | None:
        def ask(connection: sqlite3.Connection, _: Book) -> bytes | None:
            found = connection.execute(query, (table,)).fetchone()
            return found[0] if found else None

        return await self._read(ask)

    def _write(self, table: str, work: Work) -> asyncio.Future[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._closed:
            future.set_exception(closed())
        else:
            self._writer.put(Write(table, work, future))
        return future

    async def _read(self, ask: Callable[[sqlite3.Connection, Book], T]) -> T:
        if self._closed:
            raise closed()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._writer.put(Read(ask, future))
        return await future


def to_head(row: Sequence[Any]) -> Head:
    """A damaged deadline must not stop the start of a hall: its table is looked at when somebody asks for it."""
    table, seq, at, status, attended = row
    return Head(table, seq, at if isinstance(at, int) else None, status, bool(attended))


def closed() -> Unavailable:
    return Unavailable("The journal is closed.")
