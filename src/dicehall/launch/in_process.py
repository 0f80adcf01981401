"""A hall reached without a network: the same messages, by a queue in this process."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field

from dicehall.client.hall import HallClient
from dicehall.client.lines import Dial, LineClosed
from dicehall.client.talk import Patience
from dicehall.server.sockets import Caller, Sockets

OVER = 1000  # a socket that is closed because nobody needs it any more


def in_process(sockets: Sockets, patience: Patience | None = None) -> HallClient:
    """A client of a hall that runs in this process, on this event loop."""
    return HallClient(dial_into(sockets), secrets.token_bytes, patience or Patience())


def dial_into(sockets: Sockets) -> Dial:
    async def dial() -> QueueLine:
        if sockets.draining:
            raise LineClosed("The server is shutting down.")
        conn = QueueConn(sockets.new_id())
        caller = Caller(conn, "local")
        sockets.open[conn.id] = caller
        return QueueLine(sockets, caller, conn)

    return dial


@dataclass(slots=True, eq=False)
class QueueConn:
    """The hall's end: what it pushes waits in a queue."""

    id: str
    told: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)
    closed: bool = False

    def push(self, message: bytes) -> None:
        if not self.closed:
            self.told.put_nowait(message)

    def offer(self, message: bytes) -> None:
        if self.told.empty():
            self.push(message)

    def close(self, code: int) -> None:
        self.closed = True
        self.told.put_nowait(None)


@dataclass(slots=True, eq=False)
class QueueLine:
    """The client's end: one request after another, as over a socket."""

    sockets: Sockets
    caller: Caller
    conn: QueueConn
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(self, text: bytes) -> None:
        async with self.turn:
            if self.conn.closed:
                raise LineClosed("The server closed the connection.")
            self.conn.push(await self.sockets.answer(self.caller, text))

    async def receive(self) -> bytes:
        message = await self.conn.told.get()
        if message is None:
            await self.close()
            raise LineClosed("The server closed the connection.")
        return message

    async def close(self) -> None:
        if self.conn.id in self.sockets.open:
            self.sockets.gone(self.caller)
        self.conn.close(OVER)
