"""Relays that other people wrote, each started for one test: nostr-sdk's (Rust) and nostr-relay (Python, on SQLite)."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from nostr_sdk import LocalRelay, LocalRelayBuilder, uniffi_set_event_loop

OpenRelay = Callable[[], AbstractAsyncContextManager[str]]  # gives the URL of a relay that has nothing in it

CONFIG = """
relay_name: test
storage:
  sqlalchemy.url: sqlite+aiosqlite:///{folder}/events.db
  validators: [nostr_relay.validators.is_not_too_large, nostr_relay.validators.is_signed]
verification: {{nip05_verification: disabled}}
authentication: {{enabled: false}}
gunicorn: {{bind: "fd://{listening}", workers: 1, graceful_timeout: 1}}
"""


@asynccontextmanager
async def rust_relay() -> AsyncIterator[str]:
    """nostr-sdk's, in this process and in memory."""
    uniffi_set_event_loop(asyncio.get_running_loop())
    relay: LocalRelay = LocalRelayBuilder().build()
    await relay.run()
    try:
        yield str(await relay.url())
    finally:
        relay.shutdown()


@asynccontextmanager
async def python_relay() -> AsyncIterator[str]:
    """nostr-relay, in a process of its own. It is given a socket that listens already, so nobody has to wait for it."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        config = Path(folder, "relay.yaml")
        config.write_text(CONFIG.format(folder=folder, listening=listening.fileno()))
        command = str(Path(sys.executable).with_name("nostr-relay"))
        process = await asyncio.create_subprocess_exec(
            *(command, "-c", str(config), "serve"),
            pass_fds=[listening.fileno()],
            env={**os.environ, "HOME": folder},  # it leaves a socket there
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            yield f"ws://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            process.terminate()
            await process.wait()
