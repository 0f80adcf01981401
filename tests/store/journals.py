"""Short ways to write commits and to drive a journal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from typing import Any

from dicehall.store import StoreJournal
from dicehall.table.ports import Commit, Head, JournalError, Row


def act(
    seq: int,
    table: str = "oak",
    *,
    account: str | None = None,
    id: str | None = None,
    secret: bytes | None = None,
    deadline: int | None = None,
    status: str = "playing",
    text: bytes | None = None,
) -> Commit:
    said = f"act {seq} of {table}".encode() if text is None else text
    return Commit(Row(table, seq, said, 1000 + seq, account, id), Head(table, seq, deadline, status), secret)


async def outcome(asked: Awaitable[Any]) -> str:
    """The name of the journal's error, or "stored"."""
    try:
        await asked
    except JournalError as error:
        return type(error).__name__
    return "stored"


async def all_at_once(journal: StoreJournal, commits: Iterable[Commit]) -> list[str]:
    return await asyncio.gather(*(outcome(journal.append(commit)) for commit in commits))


async def numbers(journal: StoreJournal, table: str = "oak") -> list[int]:
    return [row.seq for row in await journal.rows(table)]


async def fill(journal: StoreJournal, table: str = "oak", acts: int = 3) -> Sequence[Row]:
    for seq in range(1, acts + 1):
        await journal.append(act(seq, table))
    return await journal.rows(table)
