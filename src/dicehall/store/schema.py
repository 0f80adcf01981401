"""The shape of the file: numbered SQL in `migrations`, each run once, in one transaction with its number."""

from __future__ import annotations

import sqlite3
from contextlib import closing
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


def missing_column(connection: sqlite3.Connection) -> str | None:
    """A column that a file of the newest schema has and this one has not, as ``table.column``."""
    return min(wanted_columns(migrations()) - columns_of(connection), default=None)


@cache
def wanted_columns(_: tuple[str, ...]) -> frozenset[str]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrate(fresh)
        return columns_of(fresh)


def columns_of(connection: sqlite3.Connection) -> frozenset[str]:
    found = connection.execute(
        "SELECT made.name || '.' || part.name FROM sqlite_schema AS made, pragma_table_info(made.name) AS part"
        " WHERE made.type = 'table'"
    )
    return frozenset(name for (name,) in found)
