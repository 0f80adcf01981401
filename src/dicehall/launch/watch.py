"""``dicehall watch``: follow a game at a server's table as a spectator."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import Any

import msgspec

from dicehall.client.errors import Refused
from dicehall.client.hall import HallClient
from dicehall.games import Catalogue
from dicehall.launch.console import say_json, standard_voice
from dicehall.launch.output import Failed, Help
from dicehall.launch.server_connection import connected, read_link
from dicehall.ui.terminal.server_table import ServerTable, watch_lines
from dicehall.wire.errors import clipped

DESCRIPTION = """Watch a game live, by the link of its table. You see what spectators see, and the command ends when
the game does. A lost connection comes back without gaps. With --json: a line with the table, one for every update,
and one with the end."""

EXAMPLES = """examples:
  dicehall watch http://127.0.0.1:8000/t/TABLE
  dicehall watch http://127.0.0.1:8000/t/TABLE --plain
  dicehall watch http://127.0.0.1:8000/t/TABLE --json
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "watch", help="watch a game at a server", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("url", metavar="URL", help="the link of a table")
    command.add_argument("--plain", action="store_true", help="plain lines instead of a full screen")
    command.add_argument("--json", action="store_true", help="JSON lines, for programs")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    base, table = read_link(options.url)
    if table is None:
        raise Failed(f"This link names no table. The link of a table looks like {base}/t/TABLE")
    asyncio.run(watch(base, table, games, options))
    return 0


async def watch(base: str, table: str, games: Catalogue, options: argparse.Namespace) -> None:
    voice = standard_voice(plain=options.plain)

    def say(line: str) -> None:
        if options.json:
            print(f"dicehall: {line}", file=sys.stderr, flush=True)
        else:
            voice.say(line, "note")

    async with connected(base, say) as hall:
        seen = await find_table(hall, table, games)
        if options.json:
            await watch_json(seen)
        else:
            await watch_lines(seen, voice)


async def find_table(hall: HallClient, table: str, games: Catalogue) -> ServerTable:
    try:
        shown = await hall.watch(table)
    except Refused as refused:
        if refused.code in ("no_such_table", "bad_request"):
            raise Failed(f"There is no table {clipped(table)!r} at this server. Check the link.") from None
        raise
    if shown["game"] not in games:
        raise Failed(f"This version of Dicehall does not know the game {clipped(shown['game'])!r}.")
    return ServerTable(hall, games, shown)


async def watch_json(table: ServerTable) -> None:
    say_json({"table": table.shown})
    async for update in table.changes():
        say_json(msgspec.to_builtins(update))
    say_json({"over": table.shown["over"], "phase": table.shown["phase"], "view": table.shown["view"]})
