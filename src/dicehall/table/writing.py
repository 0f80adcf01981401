"""Making a commit durable, however sure or unsure its journal is of what it did."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from dicehall.table.ports import Commit, Journal, Row, Taken, Unavailable, Uncertain

RETRY_S = 0.25  # between two looks at a journal that does not answer


async def write(journal: Journal, commit: Commit, begun: Awaitable[None] | None = None) -> None:
    """Append; if the outcome is unknown, read the journal. An act that is not there may still arrive.

    *begun* is the first attempt, if it has already been made.
    """
    unsure = False
    while True:
        attempt, begun = begun, None
        try:
            return await (journal.append(commit) if attempt is None else attempt)
        except Unavailable:
            if not unsure:
                raise
            await asyncio.sleep(RETRY_S)
        except Taken:
            if not unsure or await look(journal, commit.row) != commit.row:
                raise
            return
        except Uncertain:
            unsure = True
            found = await look(journal, commit.row)
            if found == commit.row:
                return
            if found is not None:
                raise Taken from None


async def look(journal: Journal, wanted: Row) -> Row | None:
    """The row that stands under the number of this one, however long the journal takes to say."""
    while True:
        try:
            rows = await journal.rows(wanted.table, after=wanted.seq - 1)
            return rows[0] if rows else None
        except (Unavailable, Uncertain):
            await asyncio.sleep(RETRY_S)
