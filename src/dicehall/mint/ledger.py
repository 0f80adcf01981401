"""The mint's ledger in SQLite: what was signed, what was spent, what was promised.

Every operation is one transaction, and its uniqueness constraints decide races: two spends of one proof have exactly
one winner, whatever happens around them. A repeated request finds what the first one stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from dicehall.mint.messages import BlindedMessage, BlindSignature, Dleq, MintError, Problem
from dicehall.mint.transaction import transaction

SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE signatures (
    blinded BLOB PRIMARY KEY, amount INTEGER NOT NULL, keyset TEXT NOT NULL,
    signature BLOB NOT NULL, e BLOB NOT NULL, s BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE spent (
    point BLOB PRIMARY KEY, keyset TEXT NOT NULL, amount INTEGER NOT NULL, witness TEXT, match_id TEXT
) WITHOUT ROWID;
CREATE TABLE requests (digest BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE quotes (
    id TEXT PRIMARY KEY, method TEXT NOT NULL, unit TEXT NOT NULL, amount INTEGER NOT NULL,
    pubkey TEXT, match_id TEXT UNIQUE, expiry INTEGER NOT NULL, issued INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX quotes_unissued ON quotes (expiry) WHERE issued = 0;
CREATE TABLE totals (keyset TEXT PRIMARY KEY, issued INTEGER NOT NULL, redeemed INTEGER NOT NULL) WITHOUT ROWID;
"""


class LedgerError(Exception):
    """The file cannot be used; the sentence says why."""


@dataclass(frozen=True, slots=True)
class StoredQuote:
    id: str
    method: str
    unit: str
    amount: int
    pubkey: str | None
    match_id: str | None
    expiry: int
    issued: bool | int  # SQLite has no booleans


@dataclass(frozen=True, slots=True)
class Spend:
    """One proof that is about to be spent."""

    point: bytes
    keyset: str
    amount: int
    witness: str | None = None
    match_id: str | None = None


class Ledger:
    """Used by one thread at a time; a second process on the same file is refused."""

    def __init__(self, path: Path | str) -> None:
        try:
            self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
            self.db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")
            self.migrate()
        except sqlite3.OperationalError as error:
            raise LedgerError(f"{path} cannot be opened as a ledger ({error}). Does another mint use it?") from None
        except sqlite3.DatabaseError as error:
            raise LedgerError(f"{path} is not a ledger: {error}.") from None

    def migrate(self) -> None:
        with self.transaction():
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise LedgerError("This ledger was written by a newer version of Dicehall.")
            if version == 0:
                for statement in SCHEMA.split(";"):
                    self.db.execute(statement)
                self.db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            else:
                self.db.execute("CREATE INDEX IF NOT EXISTS quotes_unissued ON quotes (expiry) WHERE issued = 0")

    def close(self) -> None:
        self.db.close()

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, and on the disk before anybody is answered."""
        return transaction(self.db)

    # -- spending and signing, inside a transaction --------------------------------------------------------

    def is_repeated(self, digest: bytes) -> bool:
        return self.db.execute("SELECT 1 FROM requests WHERE digest = ?", (digest,)).fetchone() is not None

    def remember(self, digest: bytes) -> None:
        self.db.execute("INSERT INTO requests (digest) VALUES (?)", (digest,))

    def spend(self, spends: Sequence[Spend]) -> None:
        for one in spends:
            try:
                self.db.execute(
                    "INSERT INTO spent (point, keyset, amount, witness, match_id) VALUES (?, ?, ?, ?, ?)",
                    (one.point, one.keyset, one.amount, one.witness, one.match_id),
                )
            except sqlite3.IntegrityError:
                raise MintError(Problem.ALREADY_SPENT, "A token of this request is already spent.") from None
            self.count(one.keyset, redeemed=one.amount)

    def store(self, outputs: Sequence[BlindedMessage], signatures: Sequence[BlindSignature]) -> None:
        for output, signed in zip(outputs, signatures, strict=True):
            dleq = bytes.fromhex(signed.dleq.e), bytes.fromhex(signed.dleq.s)
            row = (bytes.fromhex(output.B_), signed.amount, signed.id, bytes.fromhex(signed.C_), *dleq)
            try:
                self.db.execute("INSERT INTO signatures VALUES (?, ?, ?, ?, ?, ?)", row)
            except sqlite3.IntegrityError:
                raise MintError(Problem.ALREADY_SIGNED, "An output of this request is already signed.") from None
            self.count(signed.id, issued=signed.amount)

    def count(self, keyset: str, *, issued: int = 0, redeemed: int = 0) -> None:
        self.db.execute(
            "INSERT INTO totals VALUES (?, ?, ?) ON CONFLICT (keyset) DO UPDATE"
            " SET issued = issued + excluded.issued, redeemed = redeemed + excluded.redeemed",
            (keyset, issued, redeemed),
        )

    # -- reading -------------------------------------------------------------------------------------------

    def signatures(self, outputs: Sequence[BlindedMessage]) -> tuple[BlindSignature, ...] | None:
        """What these outputs were answered with; None where one of them never was, or was for something else."""
        found = []
        for output in outputs:
            row = self.db.execute(
                "SELECT amount, keyset, signature, e, s FROM signatures WHERE blinded = ?", (bytes.fromhex(output.B_),)
            ).fetchone()
            if row is None or (row[0], row[1]) != (output.amount, output.id):
                return None
            found.append(BlindSignature(row[0], row[1], row[2].hex(), Dleq(row[3].hex(), row[4].hex())))
        return tuple(found)

    def spent(self, point: bytes) -> tuple[str | None, str | None] | None:
        """The witness and the match of a spent token; None where it is not spent."""
        row: tuple[str | None, str | None] | None = self.db.execute(
            "SELECT witness, match_id FROM spent WHERE point = ?", (point,)
        ).fetchone()
        return row

    def totals(self) -> dict[str, tuple[int, int]]:
        """Issued and redeemed by keyset: what is in circulation is the difference."""
        rows = self.db.execute("SELECT keyset, issued, redeemed FROM totals").fetchall()
        return {keyset: (issued, redeemed) for keyset, issued, redeemed in rows}

    # -- quotes --------------------------------------------------------------------------------------------

    def add_quote(self, quote: StoredQuote, now_s: int, most_open: int) -> None:
        """Anybody can ask for one, so those that are not used make room: for others of their match, and the oldest."""
        self.db.execute("DELETE FROM quotes WHERE issued = 0 AND expiry < ?", (now_s,))
        self.db.execute("DELETE FROM quotes WHERE issued = 0 AND match_id = ?", (quote.match_id,))
        waiting = self.db.execute("SELECT count(*) FROM quotes WHERE issued = 0").fetchone()[0]
        self.db.execute(
            "DELETE FROM quotes WHERE id IN (SELECT id FROM quotes WHERE issued = 0 ORDER BY expiry LIMIT ?)",
            (max(0, waiting + 1 - most_open),),
        )
        self.db.execute(
            "INSERT INTO quotes VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
            (quote.id, quote.method, quote.unit, quote.amount, quote.pubkey, quote.match_id, quote.expiry),
        )

    def quote(self, id: str) -> StoredQuote | None:
        return self.find_quote("id", id)

    def quote_of_match(self, match_id: str) -> StoredQuote | None:
        return self.find_quote("match_id", match_id)

    def find_quote(self, column: str, value: str) -> StoredQuote | None:
        row = self.db.execute(
            f"SELECT id, method, unit, amount, pubkey, match_id, expiry, issued FROM quotes WHERE {column} = ?",
            (value,),
        ).fetchone()
        return None if row is None else StoredQuote(*row)

    def mark_issued(self, id: str) -> None:
        self.db.execute("UPDATE quotes SET issued = 1 WHERE id = ?", (id,))
