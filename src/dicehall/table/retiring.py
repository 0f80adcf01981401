"""Finished tables: kept for some minutes, so that late repeats are still answered, then archived as one row.

The row holds the record, which others can read, and all acts, from which the table is folded again when somebody
comes back to it: an archived table answers as it did before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dicehall.core.game import Faces, Refused
from dicehall.table.history import History
from dicehall.table.packing import pack
from dicehall.table.ports import Head, HostJournal
from dicehall.table.requests import Code
from dicehall.table.state import TableState
from dicehall.table.stored_record import stored_text

NEVER_STARTED = b"null"  # the record of a table at which nothing was played
MOST_BACK = 256  # archived tables in memory at once
MOST_BACK_ACTS = 131_072  # of all of them; an act with its id takes up to 250 bytes


class Archive(Protocol):
    async def heads(self, live: bool = True) -> Sequence[Head]:
        """Where tables stand; with *live* false the finished ones too."""
        ...

    async def archive(self, table: str, record: bytes, acts: bytes | None = None) -> None: ...


@dataclass(slots=True)
class Back:
    """Archived tables that are in memory again: so many, and so many acts of theirs, whose ids are remembered."""

    most: int = MOST_BACK
    most_acts: int = MOST_BACK_ACTS
    tables: deque[tuple[str, int]] = field(default_factory=deque)

    def add(self, table: str, acts: int) -> list[str]:
        """One more is back; those that must go for it, the longest back first."""
        self.tables.append((table, acts))
        gone, total = list[str](), sum(acts for _, acts in self.tables)
        while len(self.tables) > self.most or (total > self.most_acts and len(self.tables) > 1):
            first, fewer = self.tables.popleft()
            gone.append(first)
            total -= fewer
        return gone


class NoDice:
    """The dice of a table that is over: its secret is gone, and nothing is rolled any more."""

    seal = ""

    def prepare(self) -> Iterator[None]:
        return iter(())

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, str]:
        raise AssertionError("no act of a finished table rolls dice")

    def key(self, label: str) -> str:
        """Nothing is hidden at a table that is over; a hint that is asked for again is still the same each time."""
        return label


async def finished(archive: Archive | None) -> list[str]:
    """Tables that ended before this process began, and are not archived yet."""
    heads = [] if archive is None else await archive.heads(live=False)
    return [head.table for head in heads if head.status in ("over", "abandoned")]


async def put_away(archive: Archive | None, history: History, state: TableState) -> None:
    """Keep a table as one row."""
    if archive is None:
        return
    acts = await pack(history.rows(state.id), history.slices)
    started = bool(state.sitting)
    if not started:
        return await archive.archive(state.id, NEVER_STARTED, acts)
    record = (await history.record(state)).record(state)
    await archive.archive(state.id, await stored_text(record, history.slices), acts)


async def missing(journal: HostJournal, table: str) -> Refused:
    """Why there is no table to be had."""
    if await journal.archived(table) is None:
        return Refused(Code.NO_SUCH_TABLE, "There is no such table.")
    sentence = "Only the record of this table is left. You can look at the table and read the record."
    return Refused(Code.NO_SUCH_TABLE, sentence)
