"""A relay that passes on whatever it is given, forged and broken events too, as one in hostile hands could."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed


@dataclass(slots=True, eq=False)
class HostileRelay:
    listeners: dict[ServerConnection, list[str]] = field(default_factory=dict)

    async def serve(self, connection: ServerConnection) -> None:
        names = self.listeners.setdefault(connection, [])
        with suppress(ConnectionClosed):
            async for message in connection:
                match json.loads(message):
                    case ["REQ", name, *_]:
                        names.append(name)
                        await connection.send(json.dumps(["EOSE", name]))
                    case ["EVENT", event]:
                        await connection.send(json.dumps(["OK", event["id"], True, ""]))
                    case ["CLOSE", name] if name in names:
                        names.remove(name)
        del self.listeners[connection]

    async def send(self, value: Any) -> None:
        """To everybody, under every subscription; somebody whose connection was lost is waited for."""
        while not any(self.listeners.values()):
            await asyncio.sleep(0.01)
        for connection, names in tuple(self.listeners.items()):
            for name in names:
                await connection.send(msgspec.json.encode(["EVENT", name, value]).decode())

    async def send_text(self, text: str) -> None:
        for connection in tuple(self.listeners):
            await connection.send(text)


@asynccontextmanager
async def hostile_relay() -> AsyncIterator[tuple[HostileRelay, str]]:
    relay = HostileRelay()
    server: Server
    async with serve(relay.serve, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield relay, f"ws://127.0.0.1:{port}"
