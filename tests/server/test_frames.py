"""However its frames are cut, joined and mixed, what comes over a socket is answered whole and in order."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import pytest
from websockets.frames import Opcode

from tests.server.running import WAIT_S, RunningServer
from tests.server.wire import Wire, frame, shake_hands


def ping(id: int, more: str = "") -> bytes:
    return json.dumps({"id": id, "do": "ping", "more": more}, ensure_ascii=False).encode()


@contextmanager
def wire(server: RunningServer) -> Iterator[Wire]:
    with socket.create_connection(("127.0.0.1", server.port), WAIT_S) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield shake_hands(line, server.port)


def test_a_frame_may_come_byte_by_byte(server: RunningServer) -> None:
    with wire(server) as line:
        for byte in frame(ping(1)) + frame(ping(2, "x" * 200)):
            line.send(bytes((byte,)))
        assert line.answers(2) == [1, 2]


def test_many_frames_at_once_are_answered_in_order(server: RunningServer) -> None:
    with wire(server) as line:
        line.send(b"".join(frame(ping(number, "x" * number)) for number in range(300)))
        assert line.answers(300) == list(range(300))


def test_a_message_in_fragments_has_its_place_among_whole_ones(server: RunningServer) -> None:
    cut = ping(2, "ä" * 100)
    with wire(server) as line:
        line.send(
            frame(ping(1))
            + frame(cut[:50], fin=False)
            + frame(b"between", Opcode.PING)
            + frame(cut[50:], Opcode.CONT)
            + frame(ping(3), Opcode.BINARY)
            + frame(ping(4))
        )
        heard = [line.receive() for _ in range(5)]
        assert (Opcode.PONG, b"between") in heard
        assert [json.loads(told)["re"] for kind, told in heard if kind == Opcode.TEXT] == [1, 2, 3, 4]


def test_what_was_sent_before_a_socket_closes_is_done_all_the_same(server: RunningServer) -> None:
    with wire(server) as line:
        line.ask(1, do="guest", name="Late")
        table = line.ask(2, do="open", game="wards")["ok"]["id"]
        closing = json.dumps({"id": 3, "do": "close", "table": table}).encode()
        line.send(frame(closing) + frame(b"\x03\xe8", Opcode.CLOSE))
    with wire(server) as line:
        phases = iter(lambda: line.ask(4, do="look", table=table)["ok"]["phase"], "abandoned")
        assert {"lobby"} >= set(islice(phases, 1000))
        assert line.ask(5, do="look", table=table)["ok"]["phase"] == "abandoned"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(ping(1), mask=False), 1002),
        (frame(b'"\xff"'), 1007),
        (frame(ping(1, "x" * 70_000)), 1009),
        (frame(b"{", fin=False) + frame(ping(1)), 1002),
    ],
    ids=["not masked", "no text", "too large", "a message within another"],
)
def test_what_no_socket_may_send_ends_it_with_the_code_of_the_standard(
    server: RunningServer, data: bytes, code: int
) -> None:
    with wire(server) as line:
        line.send(frame(ping(0)))
        assert line.answers(1) == [0]
        line.send(data)
        kind, told = line.receive()
        assert (kind, int.from_bytes(told[:2], "big")) == (Opcode.CLOSE, code)
