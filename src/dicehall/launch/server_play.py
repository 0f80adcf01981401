"""``dicehall play --server``: a seat at a server's table, in plain lines."""

from __future__ import annotations

import argparse
import asyncio
import json
from contextlib import suppress
from hashlib import sha256
from typing import Any

from dicehall.client.errors import Refused
from dicehall.client.hall import HallClient, Shown
from dicehall.core.house import changed_rules
from dicehall.games import Catalogue
from dicehall.launch.console import is_terminal, standard_voice
from dicehall.launch.game_list import named
from dicehall.launch.kept_games import write_private
from dicehall.launch.output import Failed
from dicehall.launch.server_connection import connected, read_link
from dicehall.launch.typed_lines import TypedLines
from dicehall.launch.watch import find_table
from dicehall.solvers.places import DATA
from dicehall.ui.terminal.people import Left
from dicehall.ui.terminal.server_play import ServerPlay
from dicehall.ui.terminal.server_table import ServerTable
from dicehall.wire.errors import clipped

INTERRUPTED = 130
LISTED = 10  # open tables of a server


def run(options: argparse.Namespace, games: Catalogue) -> int:
    base, table = read_link(options.server)
    lines = TypedLines()
    try:
        return asyncio.run(join(base, table, options, games, lines))
    except Left:
        return 0
    except KeyboardInterrupt:
        print("\nYour seat is kept for a while. To go back to it, join by the link of the table.")
        return INTERRUPTED


async def join(base: str, table: str | None, options: argparse.Namespace, games: Catalogue, lines: TypedLines) -> int:
    voice = standard_voice(plain=options.plain)

    def prompt(text: str) -> None:
        if lines.source.isatty():
            print(text, end="", flush=True)

    async with connected(base, lambda line: voice.say(line, "note")) as hall:
        await sign_in(hall, base, options.name)
        if table is None and options.game is None:
            voice.say(await open_tables(hall, base))
            return 0
        seen = await seated(hall, table, options, games, lines)
        play = ServerPlay(
            seen, voice, lambda: lines.ask(""), prompt, link=f"{base}/t/{seen.id}", confirms=is_terminal()
        )
        await play.play()
    return 0


async def sign_in(hall: HallClient, base: str, name: str | None) -> None:
    """As the guest who was here before, so that a seat can be taken up again, or as a new one."""
    file = DATA.path() / "servers" / f"{sha256(base.encode()).hexdigest()[:16]}.json"
    with suppress(OSError, ValueError, KeyError, TypeError, Refused):
        kept = json.loads(file.read_bytes())
        if name == kept["name"]:
            await hall.sign_in(kept["token"])
            return
    await hall.guest(name or "Guest")
    with suppress(OSError, RuntimeError):
        write_private(file, json.dumps({"name": name, "token": hall.token}))


async def seated(
    hall: HallClient, table: str | None, options: argparse.Namespace, games: Catalogue, lines: TypedLines
) -> ServerTable:
    """At the table of a link, or at a new one."""
    seen = await find_table(hall, table or (await opened(hall, options, games))["id"], games)
    if seen.in_lobby and seen.me is None:
        seen.shown = await sit(hall, seen.id, options.password, lines)
    return seen


async def sit(hall: HallClient, table: str, password: str | None, lines: TypedLines) -> Shown:
    """Take a seat; a password that is missing is asked for on a terminal."""
    try:
        return await hall.sit(table, password=password)
    except Refused as refused:
        if refused.code != "wrong_password" or not lines.source.isatty():
            raise
        print(refused.sentence)
        return await hall.sit(table, password=await lines.ask("Password: ") or "")


async def opened(hall: HallClient, options: argparse.Namespace, games: Catalogue) -> Shown:
    from dicehall.launch.play import read_rules, read_seats

    game = read_rules(named(options.game, games), options.rules)
    seats = read_seats(options.seats, game, 1, len(options.bot))
    bots = [{"seat": seats - 1 - at, "level": level} for at, level in enumerate(reversed(options.bot))]
    wanted: dict[str, Any] = {"rules": changed_rules(game), "password": options.password}
    return await hall.open(game.key, seats=seats, bots=bots, hints=options.hints, **wanted)


async def open_tables(hall: HallClient, base: str) -> str:
    """What can be joined, and how."""
    found = await hall.find(phase="lobby")
    listed = [
        f"  {clipped(table['name'] or table['game'])} ({table['game']}): {base}/t/{table['id']}" for table in found
    ]
    more = f"To open a table: dicehall play GAME --server {base}"
    if not listed:
        return f"No open tables yet. {more}"
    return "\n".join(["Open tables. Join one with --server and its link:", *listed[:LISTED], more])


def check_options(options: argparse.Namespace) -> None:
    """Refuse what only games on this machine have."""
    for name in ("save", "seed", "names", "resume", "words"):
        if getattr(options, name) is not None:
            raise Failed(f"--{name} is for games on this machine, not for a server's table.")
    if options.json:
        raise Failed("--json is for games on this machine. Programs play at a server with dicehall.client.")
