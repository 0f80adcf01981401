"""Group reads on PostgreSQL: the new acts of many tables in one query.

A process reads on at every table that another one wrote to, often at dozens in one turn of the event loop. Requests
that arrive before a query starts share it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dicehall.core.game import Refused
from dicehall.table.ports import JournalError

QUERIES_AT_ONCE = 4  # a connection that does not answer must not hold up everybody
MOST_TABLES = 200  # in one query
MOST_ACTS = 32  # of one table; a table with more is read by itself

GROUP_ROWS = f"""SELECT wanted.place, heads.seq, acts.seq, acts.act, acts.at, acts.account, acts.id
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (name, after, place)
    JOIN heads ON heads.name = wanted.name
    LEFT JOIN LATERAL (
        SELECT seq, act, at, account, id FROM acts
        WHERE acts.name = wanted.name AND acts.seq > wanted.after AND acts.seq <= heads.seq
        ORDER BY seq LIMIT {MOST_ACTS}
    ) AS acts ON true ORDER BY wanted.place, acts.seq"""

Found: TypeAlias = list[tuple[Any, ...]]  # the table's head and the columns of one act, or the head and None


@dataclass(frozen=True, slots=True)
class PendingRead:
    table: str
    after: int
    found: asyncio.Future[Found | None]


class GroupReads:
    def __init__(self, fetch: Callable[..., Awaitable[list[Any]]]) -> None:
        self._fetch = fetch
        self._pending: list[PendingRead] = []
        self._queries: set[asyncio.Task[None]] = set()
        self._is_starting = False

    async def read(self, table: str, after: int) -> Found | None:
        """What is stored after an act, or None where the table must be read by itself."""
        pending = PendingRead(table, after, asyncio.get_running_loop().create_future())
        self._pending.append(pending)
        self._start()
        return await pending.found

    def _start(self) -> None:
        if self._pending and not self._is_starting and len(self._queries) < QUERIES_AT_ONCE:
            self._is_starting = True
            query = asyncio.create_task(self._read_group())
            self._queries.add(query)
            query.add_done_callback(self._end)

    def _end(self, query: asyncio.Task[None]) -> None:
        self._queries.discard(query)
        self._start()

    async def _read_group(self) -> None:
        self._is_starting = False
        group, self._pending = self._pending[:MOST_TABLES], self._pending[MOST_TABLES:]
        self._start()
        found: list[Found | None] = [None] * len(group)
        try:
            found = by_place(
                await self._fetch(GROUP_ROWS, [one.table for one in group], [one.after for one in group]), len(group)
            )
        except (JournalError, Refused):
            pass  # one bad name must not harm the others: each is read by itself and meets its own error
        finally:
            for one, rows in zip(group, found, strict=True):
                if not one.found.done():  # whoever asked may have been cancelled
                    one.found.set_result(rows)


def by_place(records: Sequence[Any], count: int) -> list[Found | None]:
    """The rows of each table in the order in which they were asked for."""
    found: list[Found] = [[] for _ in range(count)]
    for place, *columns in map(tuple, records):
        found[place - 1].append(tuple(columns))
    return [rows if is_whole(rows) else None for rows in found]


def is_whole(rows: Found) -> bool:
    """False if there may be more acts than a group read returns."""
    return len(rows) < MOST_ACTS
