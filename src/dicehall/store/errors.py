"""What can be wrong with a file, in sentences.

A file that cannot be opened is a StoreError; trouble while it is open is one of the journal's errors (table.ports).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk that holds {path} is full.",
    sqlite3.SQLITE_READONLY: "{path} is read-only.",
    sqlite3.SQLITE_BUSY: "{path} is locked by another program.",
    sqlite3.SQLITE_LOCKED: "{path} is locked by another program.",
    sqlite3.SQLITE_PERM: "This user does not have permission to use {path}.",
    sqlite3.SQLITE_CANTOPEN: "{path}, or a file next to it, cannot be opened.",
    sqlite3.SQLITE_NOTADB: "{path} is not an SQLite database, or its beginning is damaged.",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged ({error}). Nothing was changed. Restore a backup.",
    sqlite3.SQLITE_IOERR: "The disk that holds {path} is failing ({error}).",
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
