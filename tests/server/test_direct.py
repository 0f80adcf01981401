"""The short way to a socket writes what the long way would have written."""

from __future__ import annotations

import asyncio
import gc
import weakref
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from dicehall.server.conn import MOST_BYTES, MOST_WAITING, TOO_SLOW, SocketConn
from dicehall.server.direct import EXTENSION, DirectProtocol, head_of, outbox_of, short_way


class Line(asyncio.Transport):
    """The other end of a socket, to which a test can forbid writing."""

    def __init__(self, *, broken: bool = False) -> None:
        super().__init__()
        self.broken = broken
        self.written: list[bytes] = []
        self.closed = False
        self.unsent = 0

    def write(self, data: Any) -> None:
        if self.broken:
            raise RuntimeError("this line is broken")
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.closed = True


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    return


def socket_on(line: Line) -> DirectProtocol:
    config = uvicorn.Config(nothing, http="httptools", ws=DirectProtocol, log_config=None)
    protocol = DirectProtocol(config, ServerState(), {}, asyncio.get_running_loop())
    protocol.connection_made(line)
    return protocol


async def two_turns() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_is_headed_as_websockets_heads_it(size: int) -> None:
    message = b"x" * size
    assert head_of(size) + message == Frame(Opcode.TEXT, message).serialize(mask=False)


def test_a_server_without_the_short_way_has_none() -> None:
    way = object()
    assert short_way({"type": "websocket"}) is None
    assert short_way({"type": "websocket", "extensions": {"websocket.http.response": {}}}) is None
    assert short_way({"type": "websocket", "extensions": {EXTENSION: way}}) is way


@dataclass(slots=True)
class Way:
    """A connection on which so many messages and bytes wait for the other end."""

    waits: tuple[int, int]
    pushed: list[bytes] = field(default_factory=list)

    def push(self, message: bytes) -> int:
        self.pushed.append(message)
        return self.waits[1]

    def unsent(self) -> tuple[int, int]:
        return self.waits


@pytest.mark.parametrize(
    ("waits", "closing"),
    [
        ((0, 0), None),
        ((1, MOST_BYTES), None),
        ((1, MOST_BYTES + 1), TOO_SLOW),
        ((MOST_WAITING, 1), None),
        ((MOST_WAITING + 1, 1), TOO_SLOW),
    ],
)
def test_a_slow_reader_is_disconnected_on_the_short_way_too(waits: tuple[int, int], closing: int | None) -> None:
    async def story() -> None:
        way = Way(waits)
        conn = SocketConn("1", None, direct=way)  # type: ignore[arg-type]
        conn.push(b"first")
        assert conn.closing == closing
        conn.push(b"second")
        assert way.pushed == ([b"first", b"second"] if closing is None else [b"first"])

    asyncio.run(story())


def test_messages_that_the_other_end_has_not_taken_are_counted() -> None:
    async def story() -> None:
        line = Line()
        socket = socket_on(line)
        for _ in range(3):
            socket.push(b"x" * 98)
        assert socket.unsent() == (3, 0)
        await two_turns()
        line.unsent = 300
        assert socket.unsent() == (3, 300)
        socket.push(b"x" * 98)
        assert socket.unsent() == (4, 300)
        line.unsent = 150
        assert socket.unsent() == (3, 150)
        await two_turns()
        line.unsent = 0
        socket.push(b"x" * 98)
        assert socket.unsent() == (1, 0)

    asyncio.run(story())


def test_what_is_pushed_in_one_turn_leaves_in_order_and_together() -> None:
    async def story() -> None:
        lines = Line(), Line()
        sockets = [socket_on(line) for line in lines]
        for message in (b"first", b"second"):
            for socket in sockets:
                socket.push(message)
        await two_turns()
        frames = b"".join(head_of(len(message)) + message for message in (b"first", b"second"))
        assert [line.written for line in lines] == [[frames], [frames]]

    asyncio.run(story())


def test_a_socket_that_cannot_be_written_to_is_let_go_and_the_others_are_written_to() -> None:
    async def story() -> None:
        lines = Line(), Line(broken=True), Line()
        sockets = [socket_on(line) for line in lines]
        for message in (b"first", b"second"):
            for socket in sockets:
                socket.push(message)
            await two_turns()
        frames = [head_of(len(message)) + message for message in (b"first", b"second")]
        assert [line.written for line in lines] == [frames, [], frames]
        assert [line.closed for line in lines] == [False, True, False]

    asyncio.run(story())


def test_a_loop_that_has_ended_is_not_kept() -> None:
    loop = asyncio.new_event_loop()
    outbox_of(loop)
    loop.close()
    known = weakref.ref(loop)
    del loop
    gc.collect()
    assert known() is None
