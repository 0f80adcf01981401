"""A table's journal from its first row: how it is begun, where it stands, and all that it ever told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dicehall.games import Catalogue
from dicehall.table import acts
from dicehall.table.acts import decode_act, encode_act
from dicehall.table.chairs import process_of
from dicehall.table.clocks import Times, times_of
from dicehall.table.folding import advance, begin
from dicehall.table.ports import Commit, Head, Journal, Row
from dicehall.table.state import TableState, Told, is_present


def head_of(state: TableState, times: Times | None = None) -> Head:
    attended = not state.ended and any(map(is_present, state.chairs))
    carriers = {process_of(chair.conn) or "" for chair in state.chairs if chair.conn and not state.ended}
    deadline = (times or times_of(state)).deadline
    return Head(state.id, state.seq, deadline, state.phase, attended, tuple(sorted(carriers)))


def opening(
    table: str, act: acts.Opened, at: int, secret: bytes, games: Catalogue, also: tuple[Any, ...] = ()
) -> tuple[TableState, Commit]:
    """A new table, and the commit that makes it one: its secret is stored with the act that shows the seal."""
    state = begin(table, act, at, games)
    row = Row(table, 1, encode_act(act), at, None, None)
    return state, Commit(row, head_of(state), secret, also)


async def has_graces(journal: Journal, table: str, games: Catalogue) -> bool:
    """Whether absent seats of this table are removed after a grace; its journal is read, but not folded."""
    rows = await journal.rows(table)
    try:
        first = decode_act(rows[0].act) if rows else None
        return isinstance(first, acts.Opened) and bool(games[first.game]().policy.grace)
    except Exception:  # a damaged journal: loading the table says what is wrong with it
        return True


def story(table: str, rows: Sequence[Row], games: Catalogue) -> Iterator[Told]:
    """All that was ever told of a table, from its journal; long ones are folded in slices (see history.py)."""
    told = first_told(rows[0], games)
    yield told
    for row in rows[1:]:
        assert told.after is not None
        _, told = advance(told.after, decode_act(row.act), row.at)
        yield told


def first_told(row: Row, games: Catalogue) -> Told:
    """The opening of a table, which comes first in its journal."""
    first = decode_act(row.act)
    if not isinstance(first, acts.Opened):
        raise ValueError(f"The journal of {row.table} does not begin with its opening.")
    return Told(1, row.at, first, (), None, begin(row.table, first, row.at, games))
