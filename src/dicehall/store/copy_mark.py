"""The mark of a copy: a database that has it is a backup, and its games may have continued since.

A hall that is opened on one must not continue its unfinished tables: it would repeat dice that players have seen
fall already. It closes them and then removes the mark (see table/host.py, docs/hosting.md).
"""

from __future__ import annotations

import sqlite3

TABLE = "copied"


def mark_copy(connection: sqlite3.Connection, at: int) -> None:
    """Mark a copy as made at this time (ms); one that is marked already keeps its mark."""
    connection.execute(f"CREATE TABLE IF NOT EXISTS {TABLE} (at INTEGER NOT NULL)")
    connection.execute(f"INSERT INTO {TABLE} SELECT ? WHERE NOT EXISTS (SELECT 1 FROM {TABLE})", (at,))


def copied_at(connection: sqlite3.Connection) -> int | None:
    """When this copy was made; None for a database that is no copy."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (TABLE,)).fetchone():
        return None
    found = connection.execute(f"SELECT at FROM {TABLE}").fetchone()
    return None if found is None else int(found[0])


def remove_mark(connection: sqlite3.Connection) -> None:
    connection.execute(f"DROP TABLE IF EXISTS {TABLE}")
