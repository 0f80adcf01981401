"""The shortest way to a socket: what is pushed goes to the transport as text frames, many in one write.

The way through ASGI wakes a task and passes four layers for every message. Here the protocol itself is handed to the
application, under an extension that only this server knows; anything else (accepting, receiving, pings, closing) goes
its usual way.

Writing to a socket is what a move costs most, so a message waits for one more turn of the event loop: by then the
answer to a move stands behind its update, and both leave together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "dicehall.push"

Push = Callable[[bytes], int]  # takes a message, and says how many bytes wait for the other end


class DirectProtocol(WebSocketsSansIOProtocol):
    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.frames_out: list[bytes] = []

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.tasks:  # the application runs
            extensions: dict[str, Any] = self.scope["extensions"] or {}
            extensions[EXTENSION] = self.push

    def push(self, message: bytes) -> int:
        if self.transport.is_closing():
            return 0
        if not self.frames_out:
            self.loop.call_soon(self.loop.call_soon, self.flush)
        self.frames_out += (head_of(len(message)), message)
        return self.transport.get_write_buffer_size()

    def flush(self) -> None:
        frames, self.frames_out = self.frames_out, []
        if frames and not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(frames))

    async def send(self, message: Any) -> None:
        """Whatever goes the usual way goes after what was pushed before it."""
        self.flush()
        await super().send(message)


def head_of(size: int) -> bytes:
    """What stands before a whole text frame of a server."""
    if size < 126:
        return bytes((0x81, size))
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")


def push_of(scope: Mapping[str, Any]) -> Push | None:
    """The short way, where the server that runs this application has one."""
    found: Push | None = (scope.get("extensions") or {}).get(EXTENSION)
    return found
