"""The referee's own small file: the events that counted, what it has to say, and the loot it owes.

Changes are collected and written together: either all of a batch is on the disk, or none of it. Nothing is said to
anybody before the batch it belongs to is written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from dicehall.mint.transaction import transaction
from dicehall.nostr.events import Event, encode_event
from dicehall.referee.entries import Entry

SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE matches (
    id TEXT PRIMARY KEY, created_ms INTEGER NOT NULL, ended_ms INTEGER, phase TEXT NOT NULL, summary TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX matches_by_time ON matches (created_ms, id);
CREATE INDEX matches_by_phase ON matches (phase, created_ms, id);
CREATE TABLE entries (number INTEGER PRIMARY KEY, match_id TEXT NOT NULL, event_id TEXT UNIQUE, body TEXT NOT NULL);
CREATE INDEX entries_by_match ON entries (match_id, number);
CREATE TABLE waiting (event_id TEXT PRIMARY KEY, match_id TEXT NOT NULL, at_ms INTEGER NOT NULL, event TEXT NOT NULL);
CREATE TABLE outbox (
    number INTEGER PRIMARY KEY, match_id TEXT NOT NULL, key TEXT NOT NULL, event_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL, event TEXT NOT NULL, published_ms INTEGER, UNIQUE (match_id, key)
);
CREATE INDEX outbox_unpublished ON outbox (number) WHERE published_ms IS NULL;
CREATE INDEX outbox_by_time ON outbox (at_ms);
CREATE TABLE loot (
    match_id TEXT PRIMARY KEY, winner TEXT NOT NULL, amount INTEGER NOT NULL, request TEXT, blindings TEXT, token TEXT
) WITHOUT ROWID;
CREATE TABLE notes (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
"""
PAGE = 50
MAX_AGAIN = 5000  # events that a relay is told again when it comes back


class StoreError(Exception):
    """The file cannot be used; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An event of the referee's, signed and stored."""

    match_id: str
    key: str
    event: Event
    at_ms: int
    published: bool = False


@dataclass(frozen=True, slots=True)
class Loot:
    """What is owed for one won match. The request is stored before it is sent, so that sending it again is safe."""

    match_id: str
    winner: str
    amount: int
    request: str | None = None
    blindings: str | None = None
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event that waits for the mint's word on its tokens."""

    event: Event
    at_ms: int


@dataclass(slots=True)
class Store:
    path: Path | str
    db: sqlite3.Connection = field(init=False)
    batch: list[tuple[str, Sequence[Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        try:
            self.db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=0)
            self.db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")
            self.migrate()
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path} cannot be opened ({error}). Does another referee use it?") from None
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} is not a referee's store: {error}.") from None

    def migrate(self) -> None:
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise StoreError(f"{self.path} was written by a newer version of Dicehall.")
        if version == 0:
            self.batch += [(statement, ()) for statement in SCHEMA.split(";") if statement.strip()]
            self.batch.append((f"PRAGMA user_version = {SCHEMA_VERSION}", ()))
        else:
            self.batch.append(("UPDATE notes SET value = value WHERE 0", ()))  # takes the lock at once
            self.batch.append(("CREATE INDEX IF NOT EXISTS matches_by_phase ON matches (phase, created_ms, id)", ()))
        self.commit()

    def close(self) -> None:
        self.db.close()

    # -- writing -------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Write what was collected. If that fails the caller must stop: its memory is ahead of the disk."""
        if not self.batch:
            return
        with transaction(self.db):
            for statement, values in self.batch:
                self.db.execute(statement, values)
        self.batch.clear()

    def add_match(self, id: str, created_ms: int, phase: str, summary: str) -> None:
        self.batch.append(("INSERT INTO matches VALUES (?, ?, NULL, ?, ?)", (id, created_ms, phase, summary)))

    def update_match(self, id: str, ended_ms: int | None, phase: str, summary: str) -> None:
        values = (ended_ms, phase, summary, id)
        self.batch.append(("UPDATE matches SET ended_ms = ?, phase = ?, summary = ? WHERE id = ?", values))

    def add_entry(self, match_id: str, event_id: str | None, entry: Entry) -> None:
        values = (match_id, event_id, msgspec.json.encode(entry).decode())
        self.batch.append(("INSERT INTO entries (match_id, event_id, body) VALUES (?, ?, ?)", values))

    def add_waiting(self, match_id: str, event: Event, at_ms: int) -> None:
        values = (event.id, match_id, at_ms, encode_event(event).decode())
        self.batch.append(("INSERT OR IGNORE INTO waiting VALUES (?, ?, ?, ?)", values))

    def remove_waiting(self, event_id: str) -> None:
        self.batch.append(("DELETE FROM waiting WHERE event_id = ?", (event_id,)))

    def add_outgoing(self, one: Outgoing) -> None:
        text = encode_event(one.event).decode()
        values = (one.match_id, one.key, one.event.id, one.at_ms, text, one.at_ms if one.published else None)
        columns = "(match_id, key, event_id, at_ms, event, published_ms)"
        self.batch.append((f"INSERT INTO outbox {columns} VALUES (?, ?, ?, ?, ?, ?)", values))

    def mark_published(self, one: Outgoing, at_ms: int) -> None:
        values = (at_ms, one.match_id, one.key)
        self.batch.append(("UPDATE outbox SET published_ms = ? WHERE match_id = ? AND key = ?", values))

    def put_loot(self, loot: Loot) -> None:
        values = (loot.match_id, loot.winner, loot.amount, loot.request, loot.blindings, loot.token)
        self.batch.append(("INSERT OR REPLACE INTO loot VALUES (?, ?, ?, ?, ?, ?)", values))

    def put_note(self, name: str, value: int) -> None:
        self.batch.append(("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, value)))

    # -- reading -------------------------------------------------------------------------------------------

    def note(self, name: str) -> int | None:
        row = self.db.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return None if row is None else int(row[0])

    def has_match(self, id: str) -> bool:
        return self.db.execute("SELECT 1 FROM matches WHERE id = ?", (id,)).fetchone() is not None

    def has_said(self, match_id: str, key: str) -> bool:
        rows = self.db.execute("SELECT 1 FROM outbox WHERE match_id = ? AND key = ?", (match_id, key))
        return rows.fetchone() is not None

    def unfinished(self, ended_after_ms: int) -> list[str]:
        """The matches that still need the referee: not ended, or ended a short while ago, or with something owed."""
        rows = self.db.execute(
            "SELECT id FROM matches WHERE ended_ms IS NULL OR ended_ms > ?"
            " UNION SELECT match_id FROM outbox WHERE published_ms IS NULL"
            " UNION SELECT match_id FROM loot WHERE token IS NULL",
            (ended_after_ms,),
        ).fetchall()
        return [row[0] for row in rows]

    def entries(self, match_id: str) -> list[Entry]:
        rows = self.db.execute("SELECT body FROM entries WHERE match_id = ? ORDER BY number", (match_id,))
        return [msgspec.json.decode(row[0], type=Entry) for row in rows]

    def waiting(self) -> list[Waiting]:
        rows = self.db.execute("SELECT event, at_ms FROM waiting ORDER BY at_ms, event_id").fetchall()
        return [Waiting(msgspec.json.decode(text, type=Event), at_ms) for text, at_ms in rows]

    def outgoing(self, match_id: str) -> list[Outgoing]:
        return list(self.read_outbox("WHERE match_id = ? ORDER BY number", (match_id,)))

    def said_since(self, at_ms: int) -> list[Outgoing]:
        """What a relay that comes back may have missed or forgotten."""
        newest = list(self.read_outbox("WHERE at_ms >= ? ORDER BY number DESC LIMIT ?", (at_ms, MAX_AGAIN)))
        return newest[::-1]

    def read_outbox(self, rest: str, values: Sequence[Any]) -> Iterator[Outgoing]:
        rows = self.db.execute(
            f"SELECT match_id, key, event, at_ms, published_ms FROM outbox {rest}", values
        ).fetchall()
        for match_id, key, text, at_ms, published_ms in rows:
            yield Outgoing(match_id, key, msgspec.json.decode(text, type=Event), at_ms, published_ms is not None)

    def loot_of(self, match_id: str) -> Loot | None:
        row = self.db.execute("SELECT * FROM loot WHERE match_id = ?", (match_id,)).fetchone()
        return None if row is None else Loot(*row)

    def paid(self) -> int:
        return int(self.db.execute("SELECT count(*) FROM loot WHERE token IS NOT NULL").fetchone()[0])

    def summaries(self, phase: str | None, page: int) -> tuple[list[str], int]:
        """One page of matches, newest first, and how many pages there are.

        Pages are counted in an index: with the rows themselves a page far back would stop the referee for seconds.
        """
        where, values = ("", []) if phase is None else ("WHERE phase = ?", [phase])
        count = int(self.db.execute(f"SELECT count(*) FROM matches {where}", values).fetchone()[0])
        rows = self.db.execute(
            f"SELECT summary FROM matches WHERE id IN (SELECT id FROM matches {where}"
            " ORDER BY created_ms DESC, id DESC LIMIT ? OFFSET ?) ORDER BY created_ms DESC, id DESC",
            [*values, PAGE, (page - 1) * PAGE],
        ).fetchall()
        return [row[0] for row in rows], max(1, -(-count // PAGE))
