"""``dicehall restore``: replace the database with a backup."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.backup import DATABASE, SETTING, file_of, silent
from dicehall.launch.output import Failed, Help, write_json

EXAMPLES = f"""examples:
  dicehall restore monday.db
  dicehall restore monday.db --db /srv/dicehall/hall.db --force

Stop the hall first. FILE is a backup made by dicehall backup, or any other copy of a database made while
the hall was stopped. When the hall starts again, it closes all unfinished tables, because players may have seen their
next dice. Without --db, the database is the one named by {SETTING}, or {DATABASE} in this folder.
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "restore", help="restore a backup", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("file", metavar="FILE", help="the backup")
    command.add_argument("--db", metavar="PATH", help="the database to replace (default: DICEHALL_DB, or dicehall.db)")
    command.add_argument("--force", action="store_true", help="overwrite an existing database")
    command.add_argument("--json", action="store_true", help="print JSON: {file, bytes, pages}")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    from dicehall.store.copying import restore_database  # here: no other command of a player's waits for a database
    from dicehall.store.errors import StoreError

    target = Path(file_of(options.db))
    try:
        restored = restore_database(Path(options.file), target, force=options.force, progress=silent)
    except StoreError as error:
        raise Failed(str(error)) from None
    if options.json:
        write_json(asdict(restored))
    else:
        print(f"Restored {options.file} to {target}. The hall will close all unfinished tables when it starts.")
    return 0
