"""A table's journal as the record of its game: what is archived, shown and checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from dicehall.core.game import Over, Seat, Turn
from dicehall.table.acts import Act, Opened
from dicehall.table.state import TableState, Told
from dicehall.table.updates import HIDDEN
from dicehall.wire.record import Origin, Record, Seal


@dataclass(slots=True)
class RecordWriter:
    """Writes a record, act by act."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    table: list[dict[str, Any]] = field(default_factory=list)

    def add(self, seq: int, at: int, act: Act) -> None:
        if isinstance(act, Opened):
            self.entries += act.given
        self.entries += [{**entry, "at": at} for entry in act.entries]
        self.table.append(table_act(seq, at, act))

    def record(self, state: TableState | None) -> Record:
        """The whole record of a table that has started, up to this state of it."""
        if state is None or not state.sitting:
            raise ValueError("A table that never started has no record.")
        names = tuple(chair.name for chair in state.chairs)
        end = {"entries": len(self.entries)} if isinstance(state.awaited, Over) else None
        origins = tuple(Origin(origin.entries, msgspec.convert(origin.seal, Seal)) for origin in state.opened.origins)
        return Record(state.game, names, tuple(self.entries), seal_of(state), tuple(self.table), end, origins)

    def record_for(self, state: TableState, seat: Seat | None) -> Record:
        """The record as this audience may see it: while a game runs, what others chose in secret is left out."""
        record = self.record(state)
        if isinstance(state.awaited, Over):
            return record
        shown = visible(state, record, seat)
        return replace(record, entries=record.entries[:shown])


def record_of(told: Iterable[Told]) -> Record:
    """The record of a table that has started, from all its updates."""
    writer = RecordWriter()
    state: TableState | None = None
    for one in told:
        writer.add(one.seq, one.at, one.act)
        state = one.after
    return writer.record(state)


def record_for(told: Iterable[Told], seat: Seat | None) -> Record:
    """The same as this audience may see it."""
    known = list(told)
    state = known[-1].after
    writer = RecordWriter()
    for one in known:
        writer.add(one.seq, one.at, one.act)
    assert state is not None
    return writer.record_for(state, seat)


def seal_of(state: TableState) -> Seal:
    drawn = None if state.drawn is None else msgspec.to_builtins(state.drawn)
    return Seal(state.id, state.opened.s0, state.words, drawn, state.opened.challenge)


def table_act(seq: int, at: int, act: Act) -> dict[str, Any]:
    """An act of the table as a record shows it: without its entries and what belongs to nobody else."""
    shown = msgspec.to_builtins(act)
    return {"n": seq, "at": at, **{key: value for key, value in shown.items() if key not in HIDDEN}}


def visible(state: TableState, record: Record, seat: Seat | None) -> int:
    """How many entries can be shown: up to the first hidden choice of another seat.

    A seat that has chosen in the current round is no longer awaited, and its last move is that choice.
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
