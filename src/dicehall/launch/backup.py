"""``dicehall backup``: make a verified copy of the database, even while the server is running."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.output import Failed, Help, write_json

SETTING, DATABASE = "DICEHALL_DB", "dicehall.db"

EXAMPLES = f"""examples:
  dicehall backup monday.db
  dicehall backup monday.db --db /srv/dicehall/hall.db --json

The copy contains everything, including the secrets of running games, so only its owner can read it. To go back to it,
stop the hall and run dicehall restore. A hall that starts from a copy closes all unfinished tables first, because
players may have seen their next dice.
Without --db, the database is the one named by {SETTING}, or {DATABASE} in this folder.
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "backup", help="copy the database", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("file", metavar="FILE", help="the file to write")
    command.add_argument("--db", metavar="PATH", help="the database (default: DICEHALL_DB, or dicehall.db)")
    command.add_argument("--force", action="store_true", help="overwrite FILE if it exists")
    command.add_argument("--json", action="store_true", help="print JSON: {file, bytes, pages}")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    from dicehall.store.copying import copy_database  # here: no other command of a player's waits for a database
    from dicehall.store.errors import StoreError

    source = Path(file_of(options.db))
    shown = sys.stderr.isatty() and not options.json
    try:
        copied = copy_database(source, Path(options.file), force=options.force, progress=show if shown else silent)
    except StoreError as error:
        raise Failed(str(error)) from None
    if options.json:
        write_json(asdict(copied))
    else:
        print(f"Copied {source} to {options.file}: {copied.bytes:,} bytes, verified.")
    return 0


def file_of(db: str | None) -> str:
    """The SQLite file that is meant; PostgreSQL has its own tools."""
    from dicehall.store.postgres_address import is_postgres

    named = db or os.environ.get(SETTING) or DATABASE
    if is_postgres(named):
        raise Failed("This command is for SQLite. Use pg_dump and pg_restore for PostgreSQL (see docs/hosting.md).")
    return named


def show(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{100 * done // max(total, 1)} % of {total} pages", end=end, file=sys.stderr, flush=True)


def silent(done: int, total: int) -> None:
    """For programs, and where nobody looks."""
