"""The shape of the file: numbered SQL in `migrations`, each run once, in one transaction with its number."""

from __future__ import annotations

import sqlite3
from functools import cache
from importlib.resources import files

APPLICATION = 0x44696365  # "Dice", in the header of every file of ours


@cache
def migrations() -> tuple[str, ...]:
    """The SQL of migration 1, 2, ..."""
    found = sorted(
        (file for file in files(__package__).joinpath("migrations").iterdir() if file.name.endswith(".sql")),
        key=lambda file: file.name,
    )
    return tuple(file.read_text("utf-8") for file in found)


def newest() -> int:
    return len(migrations())


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_ours(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION)


def migrate(connection: sqlite3.Connection) -> None:
    for number in range(version_of(connection) + 1, newest() + 1):
        try:
            connection.executescript(
                f"BEGIN IMMEDIATE; {migrations()[number - 1]};"
                f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {number}; COMMIT;"
            )
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
