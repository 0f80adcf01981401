"""A bot that plays any of the games over the network, with Dicehall's client: it chooses anything it may do.

    python examples/bot.py http://127.0.0.1:8000 --game wards --name Robin
    python examples/bot.py http://127.0.0.1:8000 --table 3kx... --name Robin

It joins the table, or one of the game that waits for somebody, or opens one. A lost connection, even a hall that is
killed and started again, costs it nothing; every roll is checked against the seal as it falls.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from typing import Any

from dicehall.client.errors import Refused, UnfairDice, Unreachable
from dicehall.client.hall import HallClient
from dicehall.client.network import connect


async def play(options: argparse.Namespace) -> dict[str, Any]:
    async with connect(options.url) as hall:
        await hall.guest(options.name)
        table = await sit_down(hall, options)
        shown = await play_on(hall, table)
        dice = hall.following[table].dice
        return {"table": table, "me": shown["me"], "over": shown["over"], "checked": dice.rolls if dice else 0}


async def sit_down(hall: HallClient, options: argparse.Namespace) -> str:
    """At the table that was named, or at one of the game that has a free chair, or at a new one."""
    tables = [options.table] if options.table else [found["id"] for found in await hall.find(options.game, "lobby")]
    for table in tables:
        try:
            await hall.sit(table)
            return str(table)
        except Refused as no:
            if options.table or no.code not in ("table_full", "wrong_password", "already_started"):
                raise
    opened = await hall.open(options.game, seats=options.seats, rules=json.loads(options.rules))
    await hall.sit(opened["id"])
    return str(opened["id"])


async def play_on(hall: HallClient, table: str) -> dict[str, Any]:
    """Look, do something if it is our turn, else wait for news; until it is over."""
    while True:
        shown = await hall.look(table)
        if shown["phase"] in ("over", "abandoned"):
            return shown
        choices = shown["choices"].get(str(shown["me"]), [])
        try:
            if choices:
                await hall.act(table, choose(choices))
                continue
            if shown["phase"] == "lobby" and all(seat["name"] for seat in shown["seats"]):
                await hall.start(table)
        except Refused as no:  # somebody was quicker, or the clock; look again when something has happened
            print(no, file=sys.stderr)
        await hall.news(table, shown["n"])


def choose(choices: list[Any]) -> Any:
    """Anything but giving up."""
    return random.choice([choice for choice in choices if choice != "fold"] or choices)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="of the hall, such as http://127.0.0.1:8000")
    parser.add_argument("--table", help="the id of a table to sit down at")
    parser.add_argument("--game", default="wards", help="what to play where no table is named")
    parser.add_argument("--seats", type=int, help="of a table that the bot has to open")
    parser.add_argument("--rules", default="{}", help="house rules of a table that the bot has to open, as JSON")
    parser.add_argument("--name", default="Robin")
    try:
        print(json.dumps(asyncio.run(play(parser.parse_args()))))
    except (Refused, Unreachable, UnfairDice, ValueError) as trouble:
        print(trouble, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
