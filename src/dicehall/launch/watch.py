"""``dicehall watch``: follow a game at a server's table as a spectator."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import Any

import msgspec

from dicehall.client.errors import Refused
from dicehall.client.following import Tell
from dicehall.client.hall import HallClient, Shown
from dicehall.core.house import with_rules
from dicehall.games import Catalogue
from dicehall.launch.console import say_json, standard_voice
from dicehall.launch.full_screen import Tables, fits, show
from dicehall.launch.output import Failed, Help
from dicehall.launch.server_connection import connected, reached, read_link
from dicehall.ui.tables.server_link import ServerLink
from dicehall.ui.terminal.server_table import ServerTable, watch_lines
from dicehall.wire.errors import clipped

DESCRIPTION = """Watch a game live, by the link of its table. You see what spectators see, and the command ends when
the game does. If the connection is lost, it is restored without gaps. With --json: a line with the table, one for every
update, and one with the end."""

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
    if fits(plain=options.plain, json=options.json):
        return watch_screen(base, table, games)
    asyncio.run(watch(base, table, games, options))
    return 0


def watch_screen(base: str, table: str, games: Catalogue) -> int:
    """On the whole screen, once the game has begun."""
    from dicehall.ui.tables.remote_table import RemoteTable
    from dicehall.ui.tui.game_screen import GameScreen

    with Tables(games) as tables:
        program = tables.program()
        link = reached(base)
        tables.links.append(link)
        shown = link.submit(begun(link, table, games)).result()
        kind: Any = games[shown["game"]]
        return show(GameScreen(program, RemoteTable(link, with_rules(kind, shown["rules"]), shown)))


async def begun(link: ServerLink, table: str, games: Catalogue) -> Shown:
    """The table, as soon as its game has started."""
    seen = await find_table(link.hall, table, games, tell=lambda update: link.updates[table].append(update))
    if seen.in_lobby:
        print(f"{seen.title}. {seen.seated()} Waiting for the game to start; Ctrl-C leaves.", flush=True)
    shown = seen.shown
    while shown["phase"] == "lobby":
        shown, _ = await link.look_until(table, shown["n"])
    if shown["view"] is None:
        raise Failed("The table was closed before the game started.")
    return shown


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


async def find_table(hall: HallClient, table: str, games: Catalogue, tell: Tell | None = None) -> ServerTable:
    try:
        shown = await hall.watch(table, tell=tell)
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
