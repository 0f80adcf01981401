"""A relay between the example bots and the server: what they say and hear is written down without their knowing."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tools.campaign_hall import environment
from tools.campaign_known import Fault
from tools.campaign_pipe import ROOT
from tools.campaign_wire import Ledger, Log, Wire

MOST_BYTES = 16 << 20
COMMANDS = {
    "bot.py": (sys.executable, str(ROOT / "examples/bot.py")),
    "bot.mjs": (shutil.which("node") or "", "--experimental-websocket", str(ROOT / "examples/bot.mjs")),
}


@dataclass(slots=True, eq=False)
class Relay:
    """Where one client connects instead of the server; it goes through as many sockets as it likes."""

    log: Log
    socket_url: str

    async def pass_on(self, client: ServerConnection) -> None:
        with suppress(OSError, TimeoutError, InvalidHandshake, ConnectionClosed):
            async with connect(self.socket_url, max_size=MOST_BYTES, compression=None, proxy=None) as hall:
                wire = Wire(self.log)
                ways = [asyncio.create_task(pump(client, hall, wire.says))]
                ways.append(asyncio.create_task(pump(hall, client, wire.hears)))
                try:
                    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for way in ways:
                        way.cancel()
                    ended = await asyncio.gather(*ways, return_exceptions=True)
                    for error in ended:
                        if isinstance(error, Exception) and not isinstance(error, ConnectionClosed):
                            self.log.ledger.faults.add(Fault("lost", "", f"{self.log.name}'s relay broke: {error!r}"))


async def pump(source: Any, sink: Any, note: Any) -> None:
    while True:
        text = await source.recv(decode=False)
        note(text)
        await sink.send(text.decode())


@asynccontextmanager
async def relay(log: Log, socket_url: str) -> AsyncIterator[str]:
    """The address under which a client of the server is overheard."""
    through = Relay(log, socket_url)
    async with serve(through.pass_on, "127.0.0.1", 0, max_size=MOST_BYTES, compression=None) as server:
        yield f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


@dataclass(slots=True, eq=False)
class ExampleBot:
    """One of the example bots: a process for every game it plays."""

    name: str
    example: str
    ledger: Ledger

    async def play(self, table: str) -> None:
        log = Log(f"{self.name} ({self.example})", self.ledger)
        async with relay(log, f"ws://127.0.0.1:{self.ledger.hall.port}/ws") as url:
            process = await asyncio.create_subprocess_exec(
                *(*COMMANDS[self.example], url, "--table", table, "--name", self.name),
                env=environment(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            try:
                out, err = await process.communicate()
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if process.returncode != 0:
            self.fault(table, f"{self.example} gave up: {err.decode()[-300:].strip()}")
        elif msgspec.json.decode(out)["over"] is None:
            self.fault(table, f"{self.example} went home before the end")

    def fault(self, table: str, what: str) -> None:
        self.ledger.faults.add(Fault("lost", table, what))
