"""``dicehall nostr``: make and show keys for playing over Nostr."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.output import Failed, Help

EXAMPLES = """examples:
  dicehall nostr key                    make a key, or show the existing one
  dicehall nostr key --file bot.key     in this file instead
  dicehall nostr key --json
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "nostr", help="make keys for playing over Nostr", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    key = actions.add_parser(
        "key", help="make a key", description=key_command.__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    key.add_argument("--file", metavar="FILE", default=None, help="where the secret is stored")
    key.add_argument("--json", action="store_true", help="print JSON")
    key.set_defaults(command=key_command)


def default_file() -> Path:
    config = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(config) / "dicehall" / "nostr.key"


def key_command(options: argparse.Namespace, games: Catalogue) -> int:
    """Make a key pair, and print its public half and where the secret one was stored. An existing key is kept."""
    from dicehall.nostr.keys import InvalidKey, create_key_file, read_key_file  # only this command needs it

    path = Path(options.file) if options.file else default_file()
    try:
        key, is_new = create_key_file(path), True
    except FileExistsError:
        try:
            key, is_new = read_key_file(path), False
        except (InvalidKey, UnicodeDecodeError, IsADirectoryError) as error:
            raise Failed(f"{path} is not a key: {error}") from None
    if options.json:
        print(json.dumps({"npub": key.npub, "public_key": key.public_hex, "file": str(path), "new": is_new}))
    else:
        print(f"Public key: {key.npub}")
        print(f"The secret key {'is stored' if is_new else 'was already'} in {path}. Only you can read that file.")
    return 0
