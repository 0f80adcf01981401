"""An honest disk: what is on it stays, whole and in order. All faults are made above it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dicehall.table.ports import Commit, Head, Outage, Row, Taken


@dataclass(slots=True)
class Disk:
    stored: Callable[[Row], None]  # told of each row the moment it is durable
    rows: dict[str, list[Row]] = field(default_factory=dict)
    ids: set[tuple[str, str, str]] = field(default_factory=set)
    heads: dict[str, Head] = field(default_factory=dict)
    secrets: dict[str, bytes] = field(default_factory=dict)
    pulses: dict[str, int] = field(default_factory=dict)
    outages: list[Outage] = field(default_factory=list)

    def append(self, commit: Commit) -> None:
        row = commit.row
        rows = self.rows.setdefault(row.table, [])
        mark = (row.table, row.account or "", row.id or "")
        if row.seq != len(rows) + 1 or (row.id is not None and mark in self.ids):
            raise Taken(f"Act {row.seq} of {row.table}, or its id, is there already.")
        rows.append(row)
        if row.id is not None:
            self.ids.add(mark)
        self.heads[row.table] = commit.head
        if commit.secret is not None:
            self.secrets[row.table] = commit.secret
        self.stored(row)
