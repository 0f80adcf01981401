"""A hall listens: its socket, its greeting, and the server that runs until told to stop."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import segno
import uvicorn
import uvloop
from starlette.applications import Starlette

from dicehall.games import Catalogue
from dicehall.launch.logs import set_up_logs
from dicehall.launch.output import Failed
from dicehall.launch.serving import Running, put_together
from dicehall.server.direct import DirectProtocol
from dicehall.server.parts import Settings
from dicehall.store.errors import StoreError
from dicehall.store.sqlite import SqliteJournal

# A hall holds a million objects that live long, and a move makes a hundred that do not: looking for cycles as often as
# Python does by itself takes a tenth of the time or more at 1000 tables.
RARELY = (50_000, 20, 20)
# The journal's thread waits this long for a busy event loop, each time SQLite gives it something back.
HAND_OVER_S = 0.001


def open_hall(options: argparse.Namespace, games: Catalogue) -> int:
    set_up_logs(options.log)
    listening = listen(options.host, options.port)
    port = listening.getsockname()[1]
    url = (options.public_url or f"http://{shown_host(options.host)}:{port}").rstrip("/")
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise Failed("--public-url must be an address such as https://example.org/dice.")
    settings = Settings(url, os.environ.get("DICEHALL_SERVICE_TOKEN") or None, options.trust_proxy)
    try:
        journal = SqliteJournal(options.db)
    except StoreError as error:
        raise Failed(str(error)) from None
    greet(url, options.db)
    gc.set_threshold(*RARELY)
    sys.setswitchinterval(HAND_OVER_S)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(put_together(journal, games, settings), listening))
    return 0


def listen(host: str, port: int) -> socket.socket:
    """The socket is ours before anything else happens, so that a taken port is said in one sentence."""
    try:
        return socket.create_server((host, port), backlog=2048)
    except (OSError, OverflowError) as error:
        raise Failed(f"{host}:{port} cannot be listened on: {getattr(error, 'strerror', None) or error}.") from None


def shown_host(host: str) -> str:
    """An address that others on the network can use."""
    if host not in ("0.0.0.0", "::", ""):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; tells which address would be used
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def greet(url: str, db: str) -> None:
    print(f"Dicehall is open at {url} (its store is {db}).")
    if is_loopback(urlsplit(url).hostname or ""):
        print("Only this machine reaches it; with --host 0.0.0.0 phones in your network do, too.")
    else:
        print("Join from a phone:")
        segno.make(url).terminal(out=sys.stdout, compact=True)
    print("Documents of the API: " + url + "/docs. Ctrl-C closes the hall.", flush=True)


async def serve(running: Running, listening: socket.socket) -> None:
    """Serve until told to stop, then drain."""
    await Server(config_of(running), running).serve(sockets=[listening])


def config_of(running: Running) -> uvicorn.Config:
    running.app.router.lifespan_context = lifespan(running)
    return uvicorn.Config(
        running.app,
        http="httptools",
        loop="none",
        ws=DirectProtocol,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=5,
        lifespan="on",
    )


class Server(uvicorn.Server):
    """Says goodbye to sockets before they are closed; being told to stop is no failure."""

    def __init__(self, config: uvicorn.Config, running: Running) -> None:
        super().__init__(config)
        self.running = running

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop when asked to, and then end as any program that is done: not by the signal once more."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sign, self.handle_exit, sign, None)
        try:
            yield
        finally:
            for sign in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(sign)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.running.sockets.stop()
        await super().shutdown(sockets)


def lifespan(running: Running) -> Any:
    @asynccontextmanager
    async def alive(_: Starlette) -> AsyncIterator[None]:
        await running.start()
        logging.getLogger("dicehall.launch").info("the hall is open")
        try:
            yield
        finally:
            await running.stop()

    return alive
