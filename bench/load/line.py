"""One WebSocket as a load generator needs it: text frames out and in, and as little work as possible between."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable
from os import urandom
from typing import cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Line(asyncio.Protocol):
    """What comes goes to whoever listens; the frames of a client are masked with zeros, which costs nothing."""

    def __init__(self) -> None:
        self.early: list[bytes] = []  # what came before anybody listened
        self.heard: Callable[[bytes], None] = self.early.append
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False
        self.rest = b""
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("The server hung up."))

    def listen(self, heard: Callable[[bytes], None]) -> None:
        self.heard = heard
        for message in self.early:
            heard(message)
        self.early.clear()

    def send(self, message: bytes, kind: int = TEXT) -> None:
        size = len(message)
        head = bytes((128 | kind, 128 | size)) if size < 126 else bytes((128 | kind, 254)) + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + message)

    def data_received(self, data: bytes) -> None:
        data = self.rest + data if self.rest else data
        if not self.opened.done():
            data = self.shaken(data)
        at, end = 0, len(data)
        while end - at >= 2:
            start, size = at + 2, data[at + 1]
            if size >= 126:
                start += 2 if size == 126 else 8
                size = int.from_bytes(data[at + 2 : start], "big") if start <= end else end
            if start + size > end:
                break
            self.take(data[at] & 15, data[start : start + size])
            at = start + size
        self.rest = data[at:]

    def take(self, kind: int, message: bytes) -> None:
        if kind == TEXT:
            self.heard(message)
        elif kind == PING:
            self.send(message, PONG)
        elif kind == CLOSE:
            self.transport.close()

    def shaken(self, data: bytes) -> bytes:
        """What follows the handshake; nothing while it is not whole."""
        head, found, rest = data.partition(b"\r\n\r\n")
        if not found:
            self.rest = data
            return b""
        self.rest = b""
        if head.startswith(b"HTTP/1.1 101"):
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(head.decode(errors="replace")))
        return rest


async def connect(port: int, path: str, address: str) -> Line:
    """A line to a server on this machine, as a proxy in front of it would hand one over."""
    _, line = await asyncio.get_running_loop().create_connection(Line, "127.0.0.1", port)
    asks = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {b64encode(urandom(16)).decode()}",
        f"X-Forwarded-For: {address}",
    )
    line.transport.write("\r\n".join((*asks, "", "")).encode())
    await line.opened
    return line
