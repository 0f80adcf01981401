"""Moving a hall from its SQLite file to an empty PostgreSQL database: all of it or nothing, read back and compared.

A move that was interrupted after its commit, before the file was marked as a copy, is finished by the next one.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import asyncpg
import msgspec

from dicehall.games import Catalogue
from dicehall.store.copy_mark import copied_at, mark_copy
from dicehall.store.errors import StoreError
from dicehall.store.opening import connect_to_read
from dicehall.store.postgres_address import check_url, shown_url
from dicehall.store.postgres_connection import Connection, connect_patiently, told, unless_lost
from dicehall.store.postgres_schema import migrate
from dicehall.store.sqlite import SqliteJournal
from dicehall.table.ports import Row, Unavailable
from dicehall.table.story import head_of, story

PATIENCE = 10_000
ROWS = 10_000  # between two words about progress
OURS = ("dicehall", "copied")  # which have no rows to move
# Where PostgreSQL knows a table by its name, SQLite has a number.
SOURCES = {
    "acts": "acts JOIN heads USING (key)",
    "secrets": "secrets JOIN heads USING (key)",
}
# What PostgreSQL has and SQLite has not, for one process needs no such thing.
DERIVED = {
    ("heads", "at"): "coalesce((SELECT max(at) FROM acts WHERE acts.key = heads.key), 0)",
    ("heads", "carriers"): "''",
    ("heads", "swept"): "0",
    ("heads", "sweeper"): "''",
    ("outages", "process"): "''",
}
CARRIERS = ("heads", "carriers")  # found out last, from the acts
AMBIGUOUS = {("acts", "seq"): "acts.seq"}
COLUMNS = """SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"""
LIVE = "SELECT name FROM heads WHERE status NOT IN ('over', 'abandoned')"
ACTS = "SELECT acts.seq, act, at, account, id FROM acts JOIN heads USING (key) WHERE name = ? ORDER BY acts.seq"

Progress = Callable[[str, int, int], None]  # of which table, how many rows are done, and how many there are


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: str  # as PostgreSQL calls it


@dataclass(frozen=True, slots=True)
class Moved:
    source: str
    target: str
    rows: dict[str, int]  # by table of the database
    live: int  # games and lobbies that go on


async def move_hall(source: Path, url: str, games: Catalogue, progress: Progress) -> Moved:
    """Move everything, or raise StoreError and change nothing. The file is marked as a copy afterwards."""
    check_url(url)
    if not source.is_file():
        raise StoreError(f"There is no database {source}.")
    journal = SqliteJournal(str(source))  # migrated and locked: no hall runs on it, and none can begin to
    try:
        with closing(connect_to_read(source, PATIENCE, alone=False)) as reader:
            moved = await Move(source, url, reader, games, progress).run()
    finally:
        journal.close()
        await journal.wait_closed()
    with closing(sqlite3.connect(source, isolation_level=None)) as left:
        mark_copy(left, time.time_ns() // 1_000_000)
    return moved


@dataclass(slots=True)
class Move:
    source: Path
    url: str
    reader: sqlite3.Connection
    games: Catalogue
    progress: Progress

    async def run(self) -> Moved:
        try:
            connection = await connect_patiently(self.url)
        except Unavailable as error:
            raise StoreError(str(error)) from None
        try:
            with told(self.url):
                await migrate(connection, self.url)
                async with connection.transaction():
                    return await self.move(connection)
        except Unavailable as error:
            raise StoreError(str(error)) from None
        finally:
            await connection.close()

    async def move(self, connection: Connection) -> Moved:
        tables = await columns_of(connection)
        self.check_known(tables)
        if not await is_empty(connection, tables):
            return await self.finish(connection, tables)
        rows = {table: await self.move_table(connection, table, columns) for table, columns in tables.items()}
        for table, columns in tables.items():
            await self.compare(connection, table, columns)
        if (at := copied_at(self.reader)) is not None:
            await connection.execute("INSERT INTO copied VALUES ($1)", at)
        return Moved(str(self.source), shown_url(self.url), rows, await self.name_carriers(connection))

    async def finish(self, connection: Connection, tables: dict[str, list[Column]]) -> Moved:
        """Finish an interrupted move: the database has this hall, unchanged, and the file is not marked yet."""
        if copied_at(self.reader) is None:
            try:
                for table, columns in tables.items():
                    await self.compare(connection, table, [one for one in columns if (table, one.name) != CARRIERS])
                rows = {table: await connection.fetchval(f"SELECT count(*) FROM {table}") for table in tables}
                return Moved(str(self.source), shown_url(self.url), rows, len(self.reader.execute(LIVE).fetchall()))
            except StoreError:
                pass  # it is another hall, or this one went on there
        raise StoreError(f"{shown_url(self.url)} already contains a hall. Choose an empty database.")

    def check_known(self, tables: dict[str, list[Column]]) -> None:
        """Nothing is left behind because it has no place there."""
        sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        for (name,) in self.reader.execute(sql):
            if name not in tables and name not in OURS:
                raise StoreError(f"{self.source} has a table {name}, which the PostgreSQL database does not have.")

    async def move_table(self, connection: Connection, table: str, columns: Sequence[Column]) -> int:
        (count,) = self.reader.execute(f"SELECT count(*) FROM {table}").fetchone() if self.has(table) else (0,)
        if count:
            names = [column.name for column in columns]
            rows = self.watched(table, columns, count)
            try:
                await unless_lost(connection, connection.copy_records_to_table(table, records=rows, columns=names))
            except (asyncpg.DataError, TypeError, ValueError, OverflowError) as error:
                raise StoreError(f"{self.source} is damaged: {table} has an invalid row ({error}).") from None
        return int(count)

    def has(self, table: str) -> bool:
        found = self.reader.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,))
        return found.fetchone() is not None

    async def watched(self, table: str, columns: Sequence[Column], count: int) -> AsyncIterator[tuple[Any, ...]]:
        for number, row in enumerate(self.rows(table, columns), 1):
            yield row
            if number % ROWS == 0 or number == count:
                self.progress(table, number, count)

    def rows(self, table: str, columns: Sequence[Column]) -> Iterator[tuple[Any, ...]]:
        known = {name for _, name, *_ in self.reader.execute(f"PRAGMA table_info({table})")}
        known |= {"name"} if table in SOURCES else set()
        wanted = [self.expression(table, column.name, known) for column in columns]
        for row in self.reader.execute(f"SELECT {', '.join(wanted)} FROM {SOURCES.get(table, table)}"):
            yield tuple(converted(value, column.kind) for value, column in zip(row, columns, strict=True))

    def expression(self, table: str, column: str, known: set[str]) -> str:
        if column in known:
            return AMBIGUOUS.get((table, column), f'"{column}"')
        if (table, column) not in DERIVED:
            raise StoreError(f"{self.source} has no {column} in {table}, which PostgreSQL needs.")
        return DERIVED[table, column]

    async def compare(self, connection: Connection, table: str, columns: Sequence[Column]) -> None:
        """Whether what PostgreSQL gives back is what the file holds, whatever the order."""
        names = ", ".join(f'"{column.name}"' for column in columns)
        there = Digest()
        async for row in connection.cursor(f"SELECT {names} FROM {table}"):
            there.add(tuple(row))
        here = Digest()
        for row in self.rows(table, columns) if self.has(table) else ():
            here.add(row)
        if here != there:
            raise StoreError(f"The copy of {table} does not match {self.source}. Nothing was kept.")

    async def name_carriers(self, connection: Connection) -> int:
        """Say of tables that go on whose connections carried their seats, so that these are ended there."""
        live = [name for (name,) in self.reader.execute(LIVE)]
        for name in live:
            carriers = " ".join(self.carriers(name))
            await connection.execute("UPDATE heads SET carriers = $2 WHERE name = $1", name, carriers)
        return len(live)

    def carriers(self, table: str) -> tuple[str, ...]:
        rows = [Row(table, *row) for row in self.reader.execute(ACTS, (table,))]
        try:
            told = list(story(table, rows, self.games))
            assert told[-1].after is not None
            return head_of(told[-1].after).carriers
        except Exception:  # a damaged journal is moved as it is: the hall freezes the table and says so
            return ()


@dataclass(slots=True)
class Digest:
    """Rows in any order: how many, and the sum of their hashes."""

    count: int = 0
    total: int = 0

    def add(self, row: tuple[Any, ...]) -> None:
        self.count += 1
        self.total = (self.total + int.from_bytes(sha256(msgspec.msgpack.encode(row)).digest())) % (1 << 256)


def converted(value: Any, kind: str) -> Any:
    if value is None:
        return None
    return bool(value) if kind == "boolean" else value


async def columns_of(connection: Connection) -> dict[str, list[Column]]:
    found: dict[str, list[Column]] = {}
    for table, name, kind in await connection.fetch(COLUMNS):
        if table not in OURS:
            found.setdefault(table, []).append(Column(name, kind))
    return found


async def is_empty(connection: Connection, tables: dict[str, list[Column]]) -> bool:
    for table in tables:
        if await connection.fetchval(f"SELECT EXISTS (SELECT FROM {table})"):
            return False
    return True
