"""``dicehall relay``: a small Nostr relay for one machine or a few friends.

It is nostr-sdk's own, with its events in a folder (LMDB).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn

from dicehall.games import Catalogue
from dicehall.launch.numbers import read_whole
from dicehall.launch.output import Failed, Help

HOST = "127.0.0.1"
EVENTS_PER_MINUTE = 1_000_000  # the default of 60 is for strangers; here both ends are ours
MAX_SUBSCRIPTIONS = 10_000
MAX_ANSWER = 5000  # events
EXAMPLES = """examples:
  dicehall relay                              ws://127.0.0.1:7777, events in the folder relay
  dicehall relay --port 7778 --db /var/lib/dicehall/relay
"""
RUNNING = "The relay is running at"
WITHOUT_SDK = "The local relay needs the package nostr-sdk, which has no build for this machine. Use a relay elsewhere."


@asynccontextmanager
async def local_relay(folder: Path, port: int | None = None, host: str = HOST) -> AsyncIterator[str]:
    """Its address, while it runs; on any free port unless one is named."""
    try:
        from nostr_sdk import LocalRelayBuilder, NostrLmdb, RateLimit, uniffi_set_event_loop
    except ImportError:
        raise Failed(WITHOUT_SDK) from None

    uniffi_set_event_loop(asyncio.get_running_loop())  # without it the first call never returns
    folder.mkdir(parents=True, exist_ok=True)
    limit = RateLimit(max_reqs=MAX_SUBSCRIPTIONS, notes_per_minute=EVENTS_PER_MINUTE)
    builder = LocalRelayBuilder().addr(host).rate_limit(limit).max_filter_limit(MAX_ANSWER)
    builder = builder.database(await NostrLmdb.open(str(folder)))
    relay = (builder if port is None else builder.port(port)).build()
    await relay.run()
    try:
        yield str(await relay.url())
    finally:
        relay.shutdown()


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "relay", help="run a small Nostr relay", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("--host", default=HOST, help=f"the address to listen on (default {HOST})")
    command.add_argument("--port", default="7777", help="the port to listen on (default 7777; 0: any free one)")
    command.add_argument("--db", metavar="FOLDER", default="relay", help="where events are stored (default relay)")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    from dicehall.launch.listening import listen  # the web server with it; only running one needs that

    port = read_whole("--port", options.port, 0, 65_535)
    try:
        listen(options.host, port).close()  # a taken port is said in a sentence
        asyncio.run(serve(Path(options.db), port or None, options.host))
    except OSError as error:
        raise Failed(f"The relay cannot start: {error}.") from None
    leave()


def leave() -> NoReturn:
    """End the process at once: threads of nostr-sdk go on, and call into Python while the interpreter is taken down."""
    sys.stdout.flush()
    os._exit(0)


async def serve(folder: Path, port: int | None, host: str) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with local_relay(folder, port, host) as url:
        print(f"{RUNNING} {url}. Press Ctrl-C to stop.", flush=True)
        await stopped.wait()
