"""A hall listens: its socket, and the server that runs until it is asked to stop."""

from __future__ import annotations

import argparse
import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, get_args
from urllib.parse import urlsplit

import uvicorn
import uvloop
from starlette.applications import Starlette

from dicehall.games import Catalogue
from dicehall.hall.webhooks import Mode
from dicehall.launch.file_limit import most_connections, raise_file_limit
from dicehall.launch.greeting import greet, open_browser
from dicehall.launch.logs import set_up_logs
from dicehall.launch.mana_bot import read_bot_url
from dicehall.launch.node_file import announced
from dicehall.launch.numbers import read_whole
from dicehall.launch.output import Failed
from dicehall.launch.serving import Running, put_together
from dicehall.launch.stores import open_journal, shown_database
from dicehall.launch.venue import count
from dicehall.launch.venue_bridge import make_bridge, read_secret, read_venue
from dicehall.server.connections import STATE, Connections, TimedConnection, check_times
from dicehall.server.direct import DirectProtocol
from dicehall.server.http_protocol import IDLE_S, LimitedHttpProtocol
from dicehall.server.parts import Settings
from dicehall.venue.bridge import Bridge
from dicehall.wire.errors import clipped

log = logging.getLogger("dicehall.launch")

# A hall holds a million objects that live long, and a move makes a hundred that do not: looking for cycles as often as
# Python does by itself takes a tenth of the time or more at 1000 tables.
RARELY = (50_000, 20, 20)
MOST_PROXIES = 16  # one behind the other
HIGHEST_PORT = 65_535
LONGEST_WAIT_S = 600
TICK_S = 0.1  # as uvicorn's own
FINISH_S = 3.0  # for requests and answers that are under way when the hall stops; then they are cut off
STOP_S = 5  # for everything else
# The journal's thread waits this long for a busy event loop, each time SQLite gives it something back.
HAND_OVER_S = 0.001


def open_hall(options: argparse.Namespace, games: Catalogue) -> int:
    with listen(options.host, read_whole("--port", options.port, 0, HIGHEST_PORT)) as listening:
        return open_on(listening, options, games)


def open_on(listening: socket.socket, options: argparse.Namespace, games: Catalogue) -> int:
    raise_file_limit()
    set_up_logs(options.log, options.log_format)
    port = listening.getsockname()[1]
    url = (options.public_url or f"http://{shown_host(options.host)}:{port}").rstrip("/")
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise Failed("--public-url must be an address such as https://example.org/dice.")
    trusted = read_whole("--trust-proxy", options.trust_proxy, 0, MOST_PROXIES)
    drain_wait = read_whole("--drain-wait", options.drain_wait, 0, LONGEST_WAIT_S)
    read_bot_url(options.mana_bot)  # said before anything is opened
    token = os.environ.get("DICEHALL_SERVICE_TOKEN") or None
    settings = Settings(url, token, trusted, options.mana_bot, read_mode(options.webhooks))
    bridge = open_bridge(options, games)

    def ready() -> None:
        greet(url, shown_database(options.db), terminal=sys.stdout.isatty())
        if options.open:
            open_browser(url)

    gc.set_threshold(*RARELY)
    sys.setswitchinterval(HAND_OVER_S)
    with announced(port), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        running = put_together(open_journal(options.db, runner), games, settings, bridge=bridge)
        started = runner.run(serve(running, listening, ready, drain_wait))
    if not started:
        raise Failed("Dicehall could not start; the log lines above say why.", 1)
    return 0


def read_mode(text: str) -> Mode:
    for mode in get_args(Mode):
        if text == mode:
            return mode  # type: ignore[no-any-return]
    raise Failed(f"--webhooks must be one of {', '.join(get_args(Mode))}, not {clipped(text)!r}.")


def open_bridge(options: argparse.Namespace, games: Catalogue) -> Bridge | None:
    """The bridge to the tables of a venue, where the server has one."""
    if options.venue is None:
        return None
    venue = read_venue(options.venue)
    for warning in venue.warnings:
        log.warning("venue: %s (%s, area %s)", warning.message, warning.code, warning.area)
    if not venue.tables:
        raise Failed(f"There is no table in {options.venue}. To see why: dicehall venue {options.venue}")
    secret = read_secret(options.venue_secret_file)
    log.info("venue: %s has %s", venue.name, count(len(venue.tables), "table"))
    return make_bridge(venue, games, secret)


def listen(host: str, port: int) -> socket.socket:
    """The socket is ours before anything else happens, so that a taken port is said in one sentence."""
    try:
        return socket.create_server((host, port), backlog=2048)
    except OSError as error:
        number = error.errno or 0  # below 0 where the name of a host cannot be resolved
        why = os.strerror(number) if number > 0 else (error.strerror or str(error)).partition(" (while ")[0]
        hint = " Choose another port." if number == errno.EADDRINUSE else ""
        raise Failed(f"Cannot listen on {host}:{port}: {why.lower()}.{hint}", 1) from None


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


async def serve(running: Running, listening: socket.socket, ready: Callable[[], None], drain_wait: int) -> bool:
    """Serve until asked to stop, then drain; False if the hall never got ready."""
    server = Server(config_of(running), running, ready, drain_wait)
    with suppress(SystemExit):  # uvicorn's answer to a start that failed; it has logged why
        await server.serve(sockets=[listening])
    return server.started


def config_of(running: Running) -> uvicorn.Config:
    running.app.router.lifespan_context = lifespan(running)
    return uvicorn.Config(
        running.app,
        http=LimitedHttpProtocol,
        loop="none",
        ws=DirectProtocol,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,  # uvicorn would believe X-Forwarded-For from any client on this machine
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=STOP_S,
        lifespan="on",
    )


class Server(uvicorn.Server):
    """Says goodbye to sockets before closing them; a request to stop is not a failure."""

    def __init__(
        self,
        config: uvicorn.Config,
        running: Running,
        ready: Callable[[], None] = lambda: None,
        drain_wait: int = 0,  # seconds
    ) -> None:
        super().__init__(config)
        self.running, self.ready, self.drain_wait = running, ready, drain_wait

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.ready()

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

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # once a second
            check_times(self.server_state.connections, asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.wait_for_proxies()
        await self.running.sockets.stop()
        if self.running.bridge is not None:
            self.running.bridge.end_polls()
        cutting = asyncio.get_running_loop().call_later(FINISH_S, self.cut_off)
        await super().shutdown(sockets)
        cutting.cancel()

    def cut_off(self) -> None:
        """Drop clients still sending a request or reading an answer: uvicorn would log each one as an error."""
        for connection in tuple(self.server_state.connections):
            if isinstance(connection, TimedConnection):
                connection.transport.abort()

    async def wait_for_proxies(self) -> None:
        """Serve on, not ready any more, until proxies have noticed; a second Ctrl-C cuts this short."""
        self.running.sockets.draining = True
        for counter in range(round(self.drain_wait / TICK_S)):
            if self.force_exit:
                return
            await self.on_tick(counter)
            await asyncio.sleep(TICK_S)


def lifespan(running: Running) -> Any:
    @asynccontextmanager
    async def alive(_: Starlette) -> AsyncIterator[dict[str, Any]]:
        await running.start()
        host, parts = running.host, running.parts
        connections = Connections(host.arrivals.now, most_connections(), parts.settings.trust_proxy, parts.limits)
        host.spawn(host.arrivals.keep_ticking())
        try:
            yield {STATE: connections}
        finally:
            await running.stop()

    return alive
