"""A table's journal as the record of its game: what is archived, shown and checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from dicehall.core.game import Over, Seat, Turn
from dicehall.table.state import TableState, Told
from dicehall.table.updates import HIDDEN
from dicehall.wire.record import Record, Seal


def record_of(told: Iterable[Told]) -> Record:
    """The record of a table that has started, from all that was told of it."""
    entries: list[dict[str, Any]] = []
    table: list[dict[str, Any]] = []
    state: TableState | None = None
    for one in told:
        entries += [{**entry, "at": one.at} for entry in one.act.entries]
        table.append(table_act(one))
        state = one.after
    if state is None or not state.sitting:
        raise ValueError("A table that never started has no record.")
    names = tuple(chair.name for chair in state.chairs)
    return Record(state.game, names, tuple(entries), seal_of(state), tuple(table))


def seal_of(state: TableState) -> Seal:
    drawn = None if state.drawn is None else msgspec.to_builtins(state.drawn)
    return Seal(state.id, state.opened.s0, state.words, drawn)


def table_act(one: Told) -> dict[str, Any]:
    """An act of the table as a record shows it: without its entries and what belongs to nobody else."""
    shown = msgspec.to_builtins(one.act)
    return {"n": one.seq, "at": one.at, **{key: value for key, value in shown.items() if key not in HIDDEN}}


def record_for(told: Iterable[Told], seat: Seat | None) -> Record:
    """The record as this audience may see it: while a game runs, what others chose in secret is left out."""
    known = list(told)
    record = record_of(known)
    state = known[-1].after
    if state is None or isinstance(state.awaited, Over):
        return record
    shown = visible(state, record, seat)
    return Record(record.game, record.names, record.entries[:shown], record.seal, record.table)


def visible(state: TableState, record: Record, seat: Seat | None) -> int:
    """How many entries may be shown: up to the first choice of another seat that is not turned over yet.

    Who chose in the open round is not waited for any more, and its last move is that choice.
    """
    awaited = state.awaited
    if not isinstance(awaited, Turn) or not hides(state):
        return len(record.entries)
    last = {entry["seat"]: index for index, entry in enumerate(record.entries) if "move" in entry}
    hidden = [index for by, index in last.items() if by not in awaited.seats and by != seat]
    return min(hidden, default=len(record.entries))


def hides(state: TableState) -> bool:
    """Whether seats of this game choose in secret and at the same time."""
    return bool(getattr(type(state.game), "secret", False))
