"""A connection of a command to a server: its errors are sentences, and a lost line is said and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from dicehall.client.errors import Refused, UnfairDice, Unreachable
from dicehall.client.hall import HallClient
from dicehall.client.network import connect
from dicehall.client.sync import connect as connect_sync
from dicehall.client.talk import Patience
from dicehall.launch.output import Failed
from dicehall.ui.tables.server_link import ServerLink, split_link
from dicehall.ui.terminal.server_table import BACK, LOST
from dicehall.wire.errors import clipped

FIRST_SECONDS = 5.0  # for a server to answer at all
PATIENCE = Patience(gives_up=600.0)  # for one that has answered before
LOOK_SECONDS = 0.5
EXAMPLE = "http://127.0.0.1:8000"


def read_link(url: str) -> tuple[str, str | None]:
    """A server's address, and the table that the link names."""
    base, table = split_link(url)
    try:
        connect(base)
    except ValueError:
        raise Failed(f"{clipped(url)!r} is not the address of a server. One looks like {EXAMPLE}") from None
    return base, table


def no_server(base: str) -> Failed:
    return Failed(
        f"No Dicehall server answers at {clipped(base)}. Check the address, and that the server is running.", 1
    )


def reached(base: str) -> ServerLink:
    """A link for screens, to a server that answers."""
    sync = connect_sync(base, Patience(gives_up=FIRST_SECONDS))
    link = ServerLink(sync, base)
    try:
        sync.games()
    except Unreachable:
        link.close()
        raise no_server(base) from None
    sync.hall.talk.patience = PATIENCE
    return link


@asynccontextmanager
async def connected(base: str, say: Callable[[str], None]) -> AsyncIterator[HallClient]:
    """A server that answers; says when the connection is lost, and when it is back."""
    try:
        async with connect(base, Patience(gives_up=FIRST_SECONDS)) as hall:
            await hall.games()
            hall.talk.patience = PATIENCE
            watching = asyncio.create_task(watch_line(hall, say))
            try:
                yield hall
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)
    except Unreachable:
        raise no_server(base) from None
    except Refused as refused:
        raise Failed(clipped(refused.sentence)) from None
    except UnfairDice as unfair:
        raise Failed(f"The dice do not match their seal! {clipped(str(unfair))}", 4) from None


async def watch_line(hall: HallClient, say: Callable[[str], None]) -> None:
    lost = False
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if lost != (hall.talk.line is None):
            lost = not lost
            say(LOST if lost else BACK)
