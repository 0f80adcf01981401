"""The short way to a socket writes what the long way would have written."""

from __future__ import annotations

import asyncio

import pytest
from websockets.frames import Frame, Opcode

from dicehall.server.conn import MOST_BYTES, TOO_SLOW, SocketConn
from dicehall.server.direct import EXTENSION, head_of, short_way


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_is_headed_as_websockets_heads_it(size: int) -> None:
    message = b"x" * size
    assert head_of(size) + message == Frame(Opcode.TEXT, message).serialize(mask=False)


def test_a_server_without_the_short_way_has_none() -> None:
    way = object()
    assert short_way({"type": "websocket"}) is None
    assert short_way({"type": "websocket", "extensions": {"websocket.http.response": {}}}) is None
    assert short_way({"type": "websocket", "extensions": {EXTENSION: way}}) is way


@pytest.mark.parametrize(("waits", "closing"), [(0, None), (MOST_BYTES, None), (MOST_BYTES + 1, TOO_SLOW)])
def test_who_reads_too_slowly_is_let_go_on_the_short_way_too(waits: int, closing: int | None) -> None:
    async def story() -> None:
        pushed: list[bytes] = []

        def push(message: bytes) -> int:
            pushed.append(message)
            return waits

        conn = SocketConn("1", None, direct=push)  # type: ignore[arg-type]
        conn.push(b"first")
        assert conn.closing == closing
        conn.push(b"second")
        assert pushed == ([b"first", b"second"] if closing is None else [b"first"])

    asyncio.run(story())
