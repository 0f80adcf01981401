"""What a player must not forget, in one small SQLite file.

A pick with its nonce, and every event, is on the disk before it is sent. After a crash the same events are sent again,
byte for byte, so that no second unit is committed to and no commitment stays closed.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from dicehall.mint.messages import Proof
from dicehall.mint.transaction import transaction
from dicehall.nostr.events import Event, encode_event, read_event
from dicehall.nostr.match_events import Acceptance, Challenge, Commitment, Reveal
from dicehall.player.plan import OwnCommitment, Progress

SCHEMA_VERSION = 2
SCHEMA = """
CREATE TABLE matches (
    match_id TEXT PRIMARY KEY, referee TEXT NOT NULL, seat INTEGER NOT NULL, opponent TEXT NOT NULL,
    mint TEXT NOT NULL, token TEXT NOT NULL, challenge_id TEXT, created_at INTEGER NOT NULL,
    redeemed INTEGER, ended INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE picks (
    match_id TEXT NOT NULL, round INTEGER NOT NULL, unit INTEGER NOT NULL, nonce TEXT NOT NULL,
    PRIMARY KEY (match_id, round)
) WITHOUT ROWID;
CREATE TABLE sent (
    match_id TEXT NOT NULL, name TEXT NOT NULL, round INTEGER NOT NULL, event BLOB NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (match_id, name, round)
) WITHOUT ROWID;
CREATE TABLE received (
    match_id TEXT NOT NULL, id TEXT NOT NULL, event BLOB NOT NULL, PRIMARY KEY (match_id, id)
) WITHOUT ROWID;
"""
SCHEMA_2 = """
CREATE TABLE second_nonces (
    match_id TEXT NOT NULL, round INTEGER NOT NULL, nonce TEXT NOT NULL, PRIMARY KEY (match_id, round)
) WITHOUT ROWID;
"""
SECOND_COMMITMENT = "second_commitment"  # to the same unit, with a nonce of its own
COMMITMENTS = (Commitment.name, SECOND_COMMITMENT)
OPENING = (Challenge.name, Acceptance.name)


class StoreError(Exception):
    """The file cannot be used; the sentence says why."""


class StoredMatch(Struct, frozen=True):
    match_id: str
    referee: str
    seat: int
    opponent: str
    mint: str
    token: Proof
    challenge_id: str | None = None  # of an acceptance
    created_at: int = 0
    redeemed: int | None = None  # the loot in the wallet
    ended: bool = False

    def players(self, me: str) -> tuple[str, str]:
        return (me, self.opponent) if self.seat == 0 else (self.opponent, me)


class StoredPick(Struct, frozen=True):
    round: int
    unit: int
    nonce: str  # hex


class PlayerStore:
    """The matches of one key."""

    def __init__(self, path: Path | str) -> None:
        try:
            self.db = sqlite3.connect(path, isolation_level=None, timeout=10)
        except sqlite3.Error as error:
            raise StoreError(f"{path} cannot be used: {error}.") from None
        try:
            self.db.execute("PRAGMA synchronous = FULL")
            with self.transaction():
                self.prepare(path)
        except (sqlite3.Error, StoreError) as error:
            self.db.close()
            raise error if isinstance(error, StoreError) else StoreError(f"{path} cannot be used: {error}.") from None

    def prepare(self, path: Path | str) -> None:
        (version,) = self.db.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise StoreError(f"{path} was written by a newer version of Dicehall.")
        for schema in (SCHEMA, SCHEMA_2)[version:]:
            for statement in filter(str.strip, schema.split(";")):
                self.db.execute(statement)
        self.db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def close(self) -> None:
        self.db.close()

    # -- matches ------------------------------------------------------------------------------------------

    def add(self, match: StoredMatch) -> None:
        self.db.execute(
            "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 0)",
            (match.match_id, match.referee, match.seat, match.opponent, match.mint)
            + (msgspec.json.encode(match.token).decode(), match.challenge_id, match.created_at or int(time.time())),
        )

    def find(self, match_id: str) -> StoredMatch | None:
        return next((one for one in self.matches() if one.match_id == match_id), None)

    def matches(self) -> list[StoredMatch]:
        """All of them, newest first."""
        rows = self.db.execute("SELECT * FROM matches ORDER BY created_at DESC, match_id").fetchall()
        return [match_of(row) for row in rows]

    def tokens_in_use(self) -> set[str]:
        """The secrets of tokens that belong to a match, for one token serves one match (M9): until the match has ended,
        and after it if the token was shown."""
        rows = self.db.execute(
            "SELECT token FROM matches WHERE NOT ended OR match_id IN (SELECT match_id FROM sent WHERE name = ?)",
            (Reveal.name,),
        ).fetchall()
        return {msgspec.json.decode(row[0], type=Proof).secret for row in rows}

    def redeemed(self, match_id: str, amount: int) -> None:
        self.db.execute("UPDATE matches SET redeemed = ? WHERE match_id = ?", (amount, match_id))

    def ended(self, match_id: str) -> None:
        self.db.execute("UPDATE matches SET ended = 1 WHERE match_id = ?", (match_id,))

    # -- own events ---------------------------------------------------------------------------------------

    def pick(self, match_id: str, pick: StoredPick, commitment: Event) -> None:
        """A pick, its nonce and the event that commits to it, together. The first pick of a round stays."""
        with self.transaction():
            stored = self.db.execute(
                "INSERT OR IGNORE INTO picks VALUES (?, ?, ?, ?)", (match_id, pick.round, pick.unit, pick.nonce)
            )
            if stored.rowcount:
                self.insert_sent(match_id, Commitment.name, pick.round, commitment)

    def picks(self, match_id: str) -> dict[int, StoredPick]:
        rows = self.db.execute("SELECT round, unit, nonce FROM picks WHERE match_id = ?", (match_id,)).fetchall()
        return {row[0]: StoredPick(*row) for row in rows}

    def commit_again(self, match_id: str, number: int, nonce: str, commitment: Event) -> None:
        """A second commitment to the pick of a round; the first second one stays."""
        with self.transaction():
            stored = self.db.execute("INSERT OR IGNORE INTO second_nonces VALUES (?, ?, ?)", (match_id, number, nonce))
            if stored.rowcount:
                self.insert_sent(match_id, SECOND_COMMITMENT, number, commitment)

    def commitments(self, match_id: str, number: int) -> tuple[OwnCommitment, ...]:
        events = [self.sent(match_id, name, number) for name in COMMITMENTS]
        return tuple(OwnCommitment(one.id, one.content) for one in events if one is not None)

    def nonce_of(self, match_id: str, number: int, commitment_id: str) -> str:
        """What opens a commitment."""
        first = self.sent(match_id, Commitment.name, number)
        if first is not None and first.id == commitment_id:
            return self.picks(match_id)[number].nonce
        (nonce,) = self.db.execute(
            "SELECT nonce FROM second_nonces WHERE match_id = ? AND round = ?", (match_id, number)
        ).fetchone()
        return str(nonce)

    def keep_sent(self, match_id: str, name: str, number: int, event: Event) -> None:
        """Before it is sent; the first one stays."""
        self.insert_sent(match_id, name, number, event)

    def insert_sent(self, match_id: str, name: str, number: int, event: Event) -> None:
        self.db.execute(
            "INSERT OR IGNORE INTO sent (match_id, name, round, event) VALUES (?, ?, ?, ?)",
            (match_id, name, number, encode_event(event)),
        )

    def sent(self, match_id: str, name: str, number: int) -> Event | None:
        row = self.db.execute(
            "SELECT event FROM sent WHERE match_id = ? AND name = ? AND round = ?", (match_id, name, number)
        ).fetchone()
        return None if row is None else read_event(row[0])

    def taken(self, event: Event, match_id: str) -> None:
        """A relay has said that it took the event."""
        self.db.execute("UPDATE sent SET taken = 1 WHERE match_id = ? AND event = ?", (match_id, encode_event(event)))

    def was_taken(self, match_id: str, name: str, number: int) -> bool:
        row = self.db.execute(
            "SELECT taken FROM sent WHERE match_id = ? AND name = ? AND round = ?", (match_id, name, number)
        ).fetchone()
        return row is not None and bool(row[0])

    def progress(self, match: StoredMatch) -> Progress:
        rows = self.db.execute("SELECT name, round FROM sent WHERE match_id = ?", (match.match_id,)).fetchall()
        rounds = [number for name, number in rows if name == Reveal.name]
        picks = self.picks(match.match_id)
        last = picks[max(picks)] if picks else None
        return Progress(
            match.seat,
            any(name in OPENING for name, _ in rows),
            None if last is None else (last.round, last.unit),
            () if last is None else self.commitments(match.match_id, last.round),
            max(rounds, default=0),
            self.is_redeemed(match.match_id),
        )

    def is_redeemed(self, match_id: str) -> bool:
        row = self.db.execute("SELECT redeemed FROM matches WHERE match_id = ?", (match_id,)).fetchone()
        return row is not None and row[0] is not None

    # -- events of others ---------------------------------------------------------------------------------

    def keep_received(self, match_id: str, event: Event) -> None:
        """Relays forget; what has counted once is kept."""
        self.db.execute("INSERT OR IGNORE INTO received VALUES (?, ?, ?)", (match_id, event.id, encode_event(event)))

    def received(self, match_id: str) -> list[Event]:
        rows = self.db.execute("SELECT event FROM received WHERE match_id = ?", (match_id,)).fetchall()
        return [read_event(row[0]) for row in rows]

    def received_count(self) -> int:
        """How many events have been received in all matches."""
        return int(self.db.execute("SELECT count(*) FROM received").fetchone()[0])

    def transaction(self) -> AbstractContextManager[None]:
        return transaction(self.db)


def match_of(row: tuple[Any, ...]) -> StoredMatch:
    match_id, referee, seat, opponent, mint, token, challenge_id, created_at, redeemed, ended = row
    proof = msgspec.json.decode(token, type=Proof)
    return StoredMatch(match_id, referee, seat, opponent, mint, proof, challenge_id, created_at, redeemed, bool(ended))
