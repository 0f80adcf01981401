"""What can be wrong with a file, in sentences.

A file that cannot be opened is a StoreError; trouble while it is open is one of the journal's errors (table.ports).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk of {path} is full.",
    sqlite3.SQLITE_READONLY: "{path} may only be read.",
    sqlite3.SQLITE_BUSY: "{path} is locked by another program.",
    sqlite3.SQLITE_LOCKED: "{path} is locked by another program.",
    sqlite3.SQLITE_PERM: "{path} may not be used by this user.",
    sqlite3.SQLITE_CANTOPEN: "{path}, or a file that belongs beside it, cannot be opened.",
    sqlite3.SQLITE_NOTADB: "{path} is not an SQLite database, or its beginning is damaged.",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged ({error}). Nothing was changed; put back a backup.",
    sqlite3.SQLITE_IOERR: "The disk of {path} does not do its work ({error}).",
}
OTHER = "{path} cannot be used ({error})."

# A commit that ends with one of these never wrote its last frame, so it is surely not stored.
SURE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY})


class StoreError(Exception):
    """A file cannot be opened or copied; the sentence says why, and nothing was changed."""


def kind_of(error: Exception) -> int:
    """SQLite's primary result code; 0 for errors that did not come from SQLite itself."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def sentence_of(error: Exception, path: Path) -> str:
    if isinstance(error, OSError):
        return f"{path} cannot be used: {(error.strerror or str(error)).lower()}."
    return SENTENCES.get(kind_of(error), OTHER).format(path=path, error=error)
