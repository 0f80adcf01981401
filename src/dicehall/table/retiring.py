"""Finished tables: kept for some minutes, so that late repeats are still answered, then archived as their record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dicehall.games import Catalogue
from dicehall.table.live import story
from dicehall.table.ports import Head, Journal
from dicehall.table.record import record_of
from dicehall.table.state import TableState
from dicehall.wire.record import record_text

NEVER_STARTED = b"null"  # what is kept of a table at which nothing was played


class Archive(Protocol):
    async def heads(self, live: bool = True) -> Sequence[Head]:
        """Where tables stand; with *live* false the finished ones too."""
        ...

    async def archive(self, table: str, record: bytes) -> None: ...


async def finished(archive: Archive | None) -> list[str]:
    """Tables that ended before this process began, and are not archived yet."""
    heads = [] if archive is None else await archive.heads(live=False)
    return [head.table for head in heads if head.status in ("over", "abandoned")]


async def put_away(archive: Archive | None, journal: Journal, games: Catalogue, state: TableState) -> None:
    """Keep the record of a table and nothing else."""
    if archive is None:
        return
    rows = await journal.rows(state.id)
    if rows:
        started = bool(state.sitting)
        record = record_text(record_of(story(state.id, rows, games))) if started else NEVER_STARTED
        await archive.archive(state.id, record)
