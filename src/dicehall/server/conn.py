"""One socket: pushed messages wait in a bounded queue, and a client that reads too slowly is disconnected.

With the server's fast path (see direct.py), the queue is the transport's own.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.websockets import WebSocket, WebSocketState

from dicehall.server.direct import ShortWay

MOST_WAITING = 512  # messages
MOST_BYTES = 1 << 20  # of them
TOO_SLOW = 4008
PATIENCE_S = 2.0  # after that a connection that was closed and is still there is aborted


@dataclass(slots=True, eq=False)
class SocketConn:
    id: str
    socket: WebSocket
    waiting: deque[bytes] = field(default_factory=deque)
    size: int = 0
    something: asyncio.Event = field(default_factory=asyncio.Event)
    closing: int | None = None  # the code to close with, once what waits is sent
    direct: ShortWay | None = None
    give_up: Callable[[], object] = lambda: None  # what is done where even the closing is not read

    def push(self, message: bytes) -> None:
        """Queue a message without waiting; one that does not fit ends the connection, so no table is held up."""
        if self.closing is not None:
            return
        if self.direct is not None:
            if self.direct.push(message):
                self.check_unsent()
            return
        if len(self.waiting) >= MOST_WAITING or self.size + len(message) > MOST_BYTES:
            self.waiting.clear()
            self.close(TOO_SLOW)
            return
        self.waiting.append(message)
        self.size += len(message)
        self.something.set()

    def offer(self, message: bytes) -> None:
        """Drop the message if others still wait for this client, so that it never causes a disconnect."""
        if not (self.direct.unsent()[1] if self.direct is not None else self.waiting):
            self.push(message)

    def check_unsent(self) -> None:
        """Close the socket of a client that does not read what it was sent."""
        if self.direct is None:
            return
        messages, size = self.direct.unsent()
        if messages <= MOST_WAITING and size <= MOST_BYTES:
            return
        if self.closing is None:
            self.close(TOO_SLOW)
        else:  # it still sends what must be answered, and reads nothing
            self.give_up()

    def close(self, code: int) -> None:
        """Close with this code, and abort if the other end does not take it."""
        if self.closing is not None:
            return
        self.closing = code
        self.something.set()
        asyncio.get_running_loop().call_later(PATIENCE_S, self.give_up)

    async def write(self) -> None:
        """Send what is queued, until the socket is closed."""
        while True:
            while self.waiting:
                message = self.waiting.popleft()
                self.size -= len(message)
                await self.socket.send_text(message.decode())
            if self.closing is not None:
                break
            self.something.clear()
            await self.something.wait()
        if self.socket.application_state is WebSocketState.CONNECTED:
            await self.socket.close(self.closing)
