"""A Nostr relay on this machine, for demos and tests: nostr-sdk's own, with its events in a folder (LMDB).

``python -m dicehall.launch.relay FOLDER [PORT]`` runs one as a process until it is interrupted.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from dicehall.launch.output import Failed

HOST = "127.0.0.1"
EVENTS_PER_MINUTE = 1_000_000  # the default of 60 is for strangers; here both ends are ours
MAX_SUBSCRIPTIONS = 10_000
MAX_ANSWER = 5000  # events
RUNNING = "The relay is running at"
WITHOUT_SDK = "The local relay needs the package nostr-sdk, which has no build for this machine. Use a relay elsewhere."


@asynccontextmanager
async def local_relay(folder: Path, port: int | None = None) -> AsyncIterator[str]:
    """Its address, while it runs; on any free port unless one is named."""
    try:
        from nostr_sdk import LocalRelayBuilder, NostrLmdb, RateLimit, uniffi_set_event_loop
    except ImportError:
        raise Failed(WITHOUT_SDK) from None

    uniffi_set_event_loop(asyncio.get_running_loop())  # without it the first call never returns
    folder.mkdir(parents=True, exist_ok=True)
    limit = RateLimit(max_reqs=MAX_SUBSCRIPTIONS, notes_per_minute=EVENTS_PER_MINUTE)
    builder = LocalRelayBuilder().addr(HOST).rate_limit(limit).max_filter_limit(MAX_ANSWER)
    builder = builder.database(await NostrLmdb.open(str(folder)))
    relay = (builder if port is None else builder.port(port)).build()
    await relay.run()
    try:
        yield str(await relay.url())
    finally:
        relay.shutdown()


async def serve(folder: Path, port: int | None) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with local_relay(folder, port) as url:
        print(f"{RUNNING} {url}", flush=True)
        await stopped.wait()


def main(words: list[str]) -> int:
    folder, *port = words
    asyncio.run(serve(Path(folder), int(port[0]) if port else None))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
