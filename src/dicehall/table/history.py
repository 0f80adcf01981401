"""The past of a table, read in pages and folded in slices, from the nearest remembered state."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from dicehall.games import Catalogue
from dicehall.table.acts import decode_act
from dicehall.table.folding import advance
from dicehall.table.packing import unpack
from dicehall.table.ports import HostJournal, Row
from dicehall.table.record import RecordWriter
from dicehall.table.slices import Slices
from dicehall.table.state import TableState, Told
from dicehall.table.story import first_told

PAGE = 1024  # rows that are read at once, so that commits have their turn in between
CHECKPOINT = 256  # acts between two states that a table in memory remembers


@dataclass(slots=True)
class Checkpoints:
    """States of a table, every so many acts, from which its later acts can be folded."""

    states: list[TableState] = field(default_factory=list)

    def add(self, state: TableState) -> None:
        if state.seq % CHECKPOINT == 0 and (not self.states or self.states[-1].seq < state.seq):
            self.states.append(state)

    def before(self, seq: int) -> TableState | None:
        """The latest remembered state at or before this number."""
        at = bisect_right(self.states, seq, key=lambda state: state.seq)
        return self.states[at - 1] if at else None


@dataclass(frozen=True, slots=True)
class History:
    journal: HostJournal
    games: Catalogue
    slices: Slices

    async def rows(self, table: str, after: int = 0) -> AsyncIterator[Row]:
        """The acts of a table after this number, in the journal or the archive; none for an unknown table."""
        while page := await self.journal.rows(table, after, PAGE):
            for row in page:
                yield row
            after = page[-1].seq
            if len(page) < PAGE:
                return
        packed = await self.journal.archived_acts(table)
        if packed is not None:
            async for row in unpack(table, packed, self.slices):
                if row.seq > after:
                    yield row

    async def replay(self, table: str, since: TableState | None = None) -> AsyncIterator[tuple[Row, Told]]:
        """Every act of a table after this state, with its events; without a state, from its opening on."""
        state = since
        async for row in self.rows(table, 0 if since is None else since.seq):
            told = first_told(row, self.games) if state is None else advance(state, decode_act(row.act), row.at)[1]
            state = told.after
            yield row, told
            await self.slices.pause_after(row.seq)

    async def told(self, state: TableState, checkpoints: Checkpoints, since: int) -> AsyncIterator[Told]:
        """All updates of a table after number *since*, up to this state."""
        if since >= state.seq:
            return
        async for _, told in self.replay(state.id, checkpoints.before(since)):
            if told.seq > state.seq:
                return
            if told.seq > since:
                yield told

    async def record(self, state: TableState) -> RecordWriter:
        """Everything for the record of a table up to this state, without applying the rules again."""
        writer = RecordWriter()
        async for row in self.rows(state.id):
            if row.seq > state.seq:
                break
            writer.add(row.seq, row.at, decode_act(row.act))
            await self.slices.pause_after(row.seq)
        return writer


@dataclass(slots=True)
class Folded:
    """A table as of its journal."""

    state: TableState
    ids: dict[tuple[str, str], int]  # client ids that were answered by an act
    checkpoints: Checkpoints


async def fold(history: History, table: str) -> Folded | None:
    """Fold a whole journal; None if there is none."""
    folded: Folded | None = None
    async for row, told in history.replay(table):
        assert told.after is not None
        if folded is None:
            folded = Folded(told.after, {}, Checkpoints())
        folded.state = told.after
        folded.checkpoints.add(told.after)
        if row.account and row.id:
            folded.ids[row.account, row.id] = row.seq
    return folded
