"""``dicehall migrate``: move a hall from its SQLite file to a PostgreSQL database."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.output import Failed, Help, write_json
from dicehall.launch.stores import NO_DRIVER
from dicehall.store.postgres_address import is_postgres

EXAMPLES = """examples:
  dicehall migrate hall.db postgresql://dicehall@db.example.org/dicehall
  dicehall migrate hall.db postgresql://dicehall@127.0.0.1/dicehall --json

Stop the hall first. The database must exist and be empty. Everything is moved in one transaction, read back and
compared; if anything goes wrong, nothing is changed. If it is interrupted, run it again. Running games continue when
you start the hall with `dicehall serve --db POSTGRESQL_URL`. The file stays, marked as a copy: a hall that starts from
it again closes its unfinished tables, because their next dice now belong to the moved ones.
With --json: {source, target, rows, live}; rows are counts per database table, live is the number of unfinished games.
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "migrate", help="move a hall to PostgreSQL", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("file", metavar="SQLITE_FILE", help="the database of the hall, which must be stopped")
    command.add_argument("url", metavar="POSTGRESQL_URL", help="an empty database")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    if not is_postgres(options.url):
        raise Failed("The address of a PostgreSQL database looks like postgresql://user@host:5432/database.")
    try:
        from dicehall.store.transfer import move_hall
    except ModuleNotFoundError:
        raise Failed(NO_DRIVER) from None
    from dicehall.store.errors import StoreError

    shown = sys.stderr.isatty() and not options.json
    try:
        moved = asyncio.run(move_hall(Path(options.file), options.url, games, show if shown else silent))
    except StoreError as error:
        raise Failed(str(error)) from None
    if options.json:
        write_json(asdict(moved))
        return 0
    rows = moved.rows
    print(
        f"Moved {moved.source} to {moved.target}: {counted(moved.live, 'unfinished game')}, "
        f"{counted(rows['endings'], 'finished game')}, {counted(rows['accounts'], 'account')}. "
        "Everything was read back and matches."
    )
    return 0


def counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def show(table: str, done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{table}: {done:,} of {total:,} rows", end=end, file=sys.stderr, flush=True)


def silent(table: str, done: int, total: int) -> None:
    """For programs, and where nobody looks."""
