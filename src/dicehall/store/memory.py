"""A journal that lives as long as its process: for ephemeral tables, and for tests that need no disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext

from dicehall.store.host import LIVE, check_head, order
from dicehall.store.memory_register import MemoryRegister
from dicehall.table.ports import Commit, Head, Outage, Row, Taken, Unavailable


class Shredder:
    """An archive that keeps nothing: finished tables are forgotten, so that a long-lived process does not grow."""

    def __init__(self, journal: MemoryJournal) -> None:
        self.journal = journal

    async def heads(self, live: bool = True) -> Sequence[Head]:
        return await self.journal.heads(live)

    async def archive(self, table: str, record: bytes, acts: bytes | None = None) -> None:
        self.journal.forget(table)


class MemoryJournal:
    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}
        self._ids: dict[str, set[tuple[str, str]]] = {}
        self._heads: dict[str, Head] = {}
        self._secrets: dict[str, bytes] = {}
        self._archive: dict[str, bytes] = {}
        self._archived_acts: dict[str, bytes | None] = {}
        self._pulses: dict[str, int] = {}
        self._outages: set[tuple[int, int, str]] = set()
        self._closed = False
        self.register = MemoryRegister(self._heads.get)

    async def append(self, commit: Commit) -> None:
        self._check_open()
        check_head(commit)
        row, table = commit.row, commit.row.table
        head = self._heads.get(table)
        if table in self._archive or row.seq != (head.seq if head else 0) + 1:
            raise Taken(f"Act {row.seq} of table {table} is not the next one.")
        ids = self._ids.setdefault(table, set())
        if row.id is not None and (row.account or "", row.id) in ids:
            raise Taken(f"Table {table} has an act with id {row.id} already.")
        if not self.register.add(commit.also):
            raise Taken(f"What comes with act {row.seq} of table {table} is known already.")
        if row.id is not None:
            ids.add((row.account or "", row.id))
        self._rows.setdefault(table, []).append(row)
        self._heads[table] = commit.head
        if commit.secret is not None:
            self._secrets[table] = commit.secret

    async def rows(self, table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        self._check_open()
        first = max(after, 0)
        return self._rows.get(table, [])[first : None if most is None else first + most]

    async def secret(self, table: str) -> bytes | None:
        self._check_open()
        return self._secrets.get(table)

    async def heads(self, live: bool = True) -> Sequence[Head]:
        self._check_open()
        return sorted((head for head in self._heads.values() if not live or head.status in LIVE), key=order)

    async def due(self, before: int) -> Sequence[Head]:
        return [head for head in await self.heads() if head.deadline is not None and head.deadline <= before]

    async def pulse(self, process: str, at: int) -> None:
        self._check_open()
        self._pulses[process] = at

    async def last_pulse(self) -> int | None:
        self._check_open()
        return max(self._pulses.values(), default=None)

    async def add_outage(self, outage: Outage) -> None:
        self._check_open()
        self._outages.add((outage.since, outage.till, outage.process))

    async def outages(self) -> Sequence[Outage]:
        self._check_open()
        return [Outage(*outage) for outage in sorted(self._outages)]

    async def archive(self, table: str, record: bytes, acts: bytes | None = None) -> None:
        self._check_open()
        if table not in self._archive:
            self._archive[table], self._archived_acts[table] = record, acts
        for kept in (self._rows, self._ids, self._heads, self._secrets):
            kept.pop(table, None)

    async def archived(self, table: str) -> bytes | None:
        self._check_open()
        return self._archive.get(table)

    async def archived_acts(self, table: str) -> bytes | None:
        self._check_open()
        return self._archived_acts.get(table)

    def forget(self, table: str) -> None:
        """Leave no trace of a table."""
        for kept in (self._rows, self._ids, self._heads, self._secrets, self._archive, self._archived_acts):
            kept.pop(table, None)
        self.register.forget(table)

    async def copied_at(self) -> int | None:
        return None

    async def remove_copy_mark(self) -> None:
        """Nothing in memory is a copy."""

    def alone(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    def forget_secrets(self, tables: Iterable[str]) -> None:
        for table in tables:
            self._secrets.pop(table, None)

    def close(self) -> None:
        self._closed = True

    async def wait_closed(self) -> None:
        """Nothing waits."""

    def _check_open(self) -> None:
        if self._closed:
            raise Unavailable("The journal is closed.")
