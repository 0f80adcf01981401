"""One transaction: everything that waited, as few statements as possible.

Each statement lets go of the interpreter's lock and has to wait for it again, so rows go in by the dozens: under a
busy event loop that is five times faster than row by row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias, TypeVar

from dicehall.store.book import Book, Place, Used, used_ids
from dicehall.store.facts import write_fact
from dicehall.table.ports import Commit, Outage, Taken

T = TypeVar("T")

SIZES = (1, 4, 16, 64)  # rows in one statement: few sizes, so that statements stay prepared
TWICE = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)

ROWS = "SELECT * FROM (VALUES {}) WHERE column1 IS NOT NULL"  # a row without a key only fills up the statement
ACTS = f"INSERT INTO acts (key, seq, act, at, account, id) {ROWS} ON CONFLICT DO NOTHING"
HEADS = f"""INSERT INTO heads (key, name, seq, deadline, status, attended) {ROWS} ON CONFLICT (key) DO UPDATE
    SET seq = excluded.seq, deadline = excluded.deadline, status = excluded.status, attended = excluded.attended"""
SECRETS = f"INSERT OR REPLACE INTO secrets (key, secret) {ROWS}"


Work: TypeAlias = "Commit | Callable[[Batch], None]"


class Clash(Exception):
    """A row was in the journal already."""


@cache
def statement(sql: str, width: int, rows: int) -> str:
    return sql.format(",".join([f"({','.join('?' * width)})"] * rows))


class Batch:
    """What is gathered is checked against the book at once, and against the file when it is flushed."""

    def __init__(self, connection: sqlite3.Connection, book: Book) -> None:
        self.pages: dict[str, Place | None] = {}
        self.used: dict[int, Used] = {}  # ids that were used in this batch; all ids of tables the book does not know
        self._connection = connection
        self._book = book
        self._next_key = book.next_key
        self._clear()

    def add(self, commit: Commit) -> None:
        row, head = commit.row, commit.head
        place = self._place(row.table)
        if row.seq != place.seq + 1:
            raise Taken(f"Act {row.seq} of table {row.table} is not the next one.")
        if row.id is not None:
            self._use(place, row.account or "", row.id)
        self.pages[row.table] = Place(place.key, row.seq)
        self._acts.append((place.key, row.seq, row.act, row.at, row.account, row.id))
        self._heads[place.key] = (place.key, row.table, row.seq, head.deadline, head.status, head.attended)
        if commit.secret is not None:
            self._secrets.append((place.key, commit.secret))
        self._facts += commit.also

    def flush(self) -> None:
        """Write what was gathered; raise Clash if a row of it was there already."""
        try:
            self._insert(ACTS, self._acts)
            self._insert(HEADS, list(self._heads.values()))
            self._insert(SECRETS, self._secrets)
            if not all(write_fact(self._connection, fact) for fact in self._facts):
                raise Clash
        finally:
            self._clear()

    def take(self, work: Work) -> None:
        if isinstance(work, Commit):
            self.add(work)
        else:
            work(self)

    def take_alone(self, work: Work) -> None:
        """Take and flush one work; if that fails, nothing of it stays in the batch."""
        before = self.pages.copy(), {key: ids.copy() for key, ids in self.used.items()}
        self._connection.execute("SAVEPOINT alone")
        try:
            self.take(work)
            self.flush()
        except Exception:
            self.pages, self.used = before
            if self._connection.in_transaction:  # trouble with the disk has ended the whole of it
                self._connection.execute("ROLLBACK TO alone")
            raise
        self._connection.execute("RELEASE alone")

    def change(self, statements: Callable[[sqlite3.Connection], T]) -> T:
        """Other rows than a journal's; if one of them is there already nothing stays of all, and it is Taken."""
        self._connection.execute("SAVEPOINT change")
        try:
            answer = statements(self._connection)
        except (sqlite3.IntegrityError, Taken) as no:
            self._connection.execute("ROLLBACK TO change")
            self._connection.execute("RELEASE change")
            if getattr(no, "sqlite_errorcode", None) in TWICE:
                raise Taken(f"This is already in use ({no}).") from no
            raise
        self._connection.execute("RELEASE change")
        return answer

    def pulse(self, process: str, at: int) -> None:
        self._connection.execute("INSERT OR REPLACE INTO pulses (process, at) VALUES (?, ?)", (process, at))

    def add_outage(self, outage: Outage) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO outages (since, till) VALUES (?, ?)", (outage.since, outage.till)
        )

    def archive(self, table: str, record: bytes, acts: bytes | None) -> None:
        self.flush()
        self._connection.execute(
            "INSERT INTO archive (name, record, acts) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (table, record, acts)
        )
        place = self._known(table)
        if place is not None:
            for kept in ("acts", "secrets", "heads"):
                self._connection.execute(f"DELETE FROM {kept} WHERE key = ?", (place.key,))
            self.used.pop(place.key, None)  # a table that came and went in one batch leaves its key to another
        self.pages[table] = None

    def _place(self, table: str) -> Place:
        """Where a table stands within this batch; a new one stands at 0."""
        place = self._known(table)
        if place is not None:
            return place
        if self._connection.execute("SELECT 1 FROM archive WHERE name = ?", (table,)).fetchone():
            raise Taken(f"Table {table} is over and in the archive.")
        place = Place(self._next_key, 0)
        self._next_key += 1
        return place

    def _use(self, place: Place, account: str, id: str) -> None:
        """An id is used once at a table."""
        known, used = self._book.used.get(place.key), self.used.get(place.key)
        if used is None:
            used = self.used[place.key] = (
                used_ids(self._connection, place.key) if known is None and place.seq else set()
            )
        if (account, id) in used or (known is not None and (account, id) in known):
            raise Taken(f"An act with the id {id} is already in the journal.")
        used.add((account, id))

    def _known(self, table: str) -> Place | None:
        return self.pages[table] if table in self.pages else self._book.places.get(table)

    def _insert(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        for at in range(0, len(rows), SIZES[-1]):
            some = rows[at : at + SIZES[-1]]
            size, width = next(size for size in SIZES if size >= len(some)), len(some[0])
            values = [value for row in some for value in row] + [None] * (width * (size - len(some)))
            if self._connection.execute(statement(sql, width, size), values).rowcount != len(some):
                raise Clash

    def _clear(self) -> None:
        self._acts: list[tuple[Any, ...]] = []
        self._heads: dict[int, tuple[Any, ...]] = {}
        self._secrets: list[tuple[Any, ...]] = []
        self._facts: list[Any] = []
