"""Lines over the network: one WebSocket each."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from dicehall.client.hall import HallClient
from dicehall.client.lines import Dial, LineClosed
from dicehall.client.talk import Patience

MOST_BYTES = 16 << 20  # of one message: the record of a very long game
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


def connect(
    url: str, patience: Patience | None = None, notice: Callable[[dict[str, Any]], None] | None = None
) -> HallClient:
    """A client of the hall at this address: ``async with connect("http://127.0.0.1:8000") as hall``."""
    return HallClient(dial_to(url), secrets.token_bytes, patience or Patience(), notice)


def dial_to(url: str) -> Dial:
    address = socket_url(url)

    async def dial() -> SocketLine:
        try:
            return SocketLine(await connect_socket(address, max_size=MOST_BYTES, compression=None, proxy=None))
        except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed) as trouble:
            raise LineClosed(str(trouble)) from trouble

    return dial


def socket_url(url: str) -> str:
    """Where the sockets of a hall are, from the address that people know; a path prefix stays."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.netloc:
        raise ValueError(f"A hall is reached at an address such as http://127.0.0.1:8000, not {url!r}.")
    path = parts.path.rstrip("/").removesuffix("/ws") + "/ws"
    return urlunsplit((SCHEMES[parts.scheme], parts.netloc, path, "", ""))


@dataclass(frozen=True, slots=True)
class SocketLine:
    socket: ClientConnection

    async def send(self, text: bytes) -> None:
        try:
            await self.socket.send(text.decode())
        except ConnectionClosed as closed:
            raise LineClosed(str(closed)) from closed

    async def receive(self) -> bytes:
        try:
            return await self.socket.recv(decode=False)
        except ConnectionClosed as closed:
            raise LineClosed(str(closed)) from closed

    async def close(self) -> None:
        await self.socket.close()
