"""Finished tables: kept for some minutes, so that late repeats are still answered, then archived as one row.

The row holds the record, which others can read, and all acts, from which the table is folded again when somebody
comes back to it: an archived table answers as it did before.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec
from msgspec import Raw

from dicehall.core.game import Faces, Refused
from dicehall.games import Catalogue
from dicehall.table.ports import Head, HostJournal, Journal, Row
from dicehall.table.record import record_of
from dicehall.table.requests import Code
from dicehall.table.state import TableState
from dicehall.table.story import story
from dicehall.wire.record import record_text

NEVER_STARTED = b"null"  # the record of a table at which nothing was played
MOST_BACK = 256  # archived tables in memory at once

Packed = list[tuple[int, Raw, str | None, str | None]]  # when, the act, and whose request it answered


class Archive(Protocol):
    async def heads(self, live: bool = True) -> Sequence[Head]:
        """Where tables stand; with *live* false the finished ones too."""
        ...

    async def archive(self, table: str, record: bytes, acts: bytes | None = None) -> None: ...


@dataclass(slots=True)
class Back:
    """Archived tables that are in memory again."""

    most: int = MOST_BACK
    tables: deque[str] = field(default_factory=deque)

    def add(self, table: str) -> list[str]:
        """One more is back; those that must go for it."""
        self.tables.append(table)
        return [self.tables.popleft() for _ in range(len(self.tables) - self.most)]


class NoDice:
    """The dice of a table that is over: its secret is gone, and nothing is rolled any more."""

    seal = ""

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, str]:
        raise AssertionError("no act of a finished table rolls dice")


async def finished(archive: Archive | None) -> list[str]:
    """Tables that ended before this process began, and are not archived yet."""
    heads = [] if archive is None else await archive.heads(live=False)
    return [head.table for head in heads if head.status in ("over", "abandoned")]


async def put_away(archive: Archive | None, journal: Journal, games: Catalogue, state: TableState) -> None:
    """Keep a table as one row."""
    if archive is None:
        return
    rows = await journal.rows(state.id)
    if rows:
        started = bool(state.sitting)
        record = record_text(record_of(story(state.id, rows, games))) if started else NEVER_STARTED
        await archive.archive(state.id, record, pack(rows))


async def read_table(journal: HostJournal, table: str) -> tuple[Sequence[Row], bytes | None]:
    """A table with the secret of its dice; one that is archived has none any more."""
    rows, secret = await journal.rows(table), await journal.secret(table)
    if rows and secret is not None:
        return rows, secret
    packed = await journal.archived_acts(table)
    if packed is None:
        raise await missing(journal, table)
    return unpack(table, packed), None


async def all_rows(journal: HostJournal, table: str) -> Sequence[Row]:
    """The acts of a table from the first on, wherever they are kept by now; none of one nobody knows."""
    rows = await journal.rows(table)
    if rows or (packed := await journal.archived_acts(table)) is None:
        return rows
    return unpack(table, packed)


def pack(rows: Sequence[Row]) -> bytes:
    return zlib.compress(msgspec.json.encode([(row.at, Raw(row.act), row.account, row.id) for row in rows]))


def unpack(table: str, packed: bytes) -> list[Row]:
    kept = msgspec.json.decode(zlib.decompress(packed), type=Packed)
    return [Row(table, seq, bytes(act), at, account, id) for seq, (at, act, account, id) in enumerate(kept, 1)]


async def missing(journal: HostJournal, table: str) -> Refused:
    """Why there is no table to be had."""
    if await journal.archived(table) is None:
        return Refused(Code.NO_SUCH_TABLE, "There is no such table.")
    sentence = "This table was archived long ago, as its record only: it can be looked at, and its record read."
    return Refused(Code.NO_SUCH_TABLE, sentence)
