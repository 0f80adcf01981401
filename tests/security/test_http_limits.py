"""Requests without end, in size or in time: refused with a code, and forgotten."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import struct
from collections.abc import Coroutine
from functools import partial
from typing import Any
from urllib.error import HTTPError

import pytest
from starlette.requests import Request

from dicehall.core.game import Refused
from dicehall.server import app, connections, http_protocol, parts
from dicehall.server.direct import DirectProtocol
from dicehall.server.endpoints import Call
from dicehall.server.http_protocol import LimitedHttpProtocol
from dicehall.server.limits import Rate
from dicehall.table.requests import Code
from tests.security.live import WAIT_S, EndlessWork, LiveHall, both_ways
from tests.security.wire import answer_to, connect, hang_up, status_of

ENDLESS = 10**12
HEAD = b"GET /healthz HTTP/1.1\r\nHost: here\r\n"
CHUNKED = b"POST /api/verify HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
END = b"Connection: close\r\n\r\n"
TOO_LARGE = {
    "tiny headers": HEAD + b"a:\r\n" * 100_000 + END,
    "one endless header": HEAD + b"a: " + b"x" * 3_000_000 + b"\r\n" + END,
    "an endless URL": b"GET /" + b"x" * 1_000_000 + b" HTTP/1.1\r\n" + END,
    "an endless query": b"GET /healthz?" + b"x" * 1_000_000 + b" HTTP/1.1\r\n" + END,
    "tiny trailers": CHUNKED + b"2\r\n{}\r\n0\r\n" + b"a: b\r\n" * 100_000 + b"\r\n" + HEAD + END,
    "one endless trailer": CHUNKED + b"2\r\n{}\r\n0\r\na: " + b"x" * 3_000_000 + b"\r\n\r\n" + HEAD + END,
    "a chunk with an endless extension": CHUNKED + b"2;" + b"x" * 3_000_000 + b"\r\n{}\r\n0\r\n\r\n" + HEAD + END,
}


@both_ways
@pytest.mark.parametrize("kind", TOO_LARGE)
def test_a_head_without_end_is_not_kept(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, kind: str, guarded: bool
) -> None:
    """The server stops reading; without the guard it takes all of it."""
    if not guarded:
        monkeypatch.setattr(http_protocol, "MOST_HEAD_BYTES", ENDLESS)
        monkeypatch.setattr(http_protocol, "MOST_HEADERS", ENDLESS)
    seen = []
    feed = LimitedHttpProtocol.data_received

    def feeding(self: LimitedHttpProtocol, data: bytes) -> None:
        if not self.transport.is_closing():
            seen.append(len(data))
        feed(self, data)

    monkeypatch.setattr(LimitedHttpProtocol, "data_received", feeding)
    answer_to(connect(hall), TOO_LARGE[kind])
    assert (sum(seen) == len(TOO_LARGE[kind])) is not guarded


def test_too_many_headers_are_answered_with_a_code(hall: LiveHall) -> None:
    """The guard of the test above, seen by a client that stops in time to read its answer. The control has fewer."""
    assert status_of(answer_to(connect(hall), HEAD + b"a: b\r\n" * 90 + END)) == 200
    answer = answer_to(connect(hall), HEAD + b"a: b\r\n" * 101)
    assert status_of(answer) == 431
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "too_large"


@both_ways
@pytest.mark.parametrize("path", [b"/api/verify", b"/healthz"], ids=["read", "answered before"])
def test_a_body_in_a_million_tiny_chunks_is_not_parsed_to_its_end(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, path: bytes, guarded: bool
) -> None:
    """Each chunk costs as much as a request's header, and nothing counts them."""
    if not guarded:
        monkeypatch.setattr(http_protocol, "FREE_CHUNKS", ENDLESS)
    parsed: list[None] = []
    chunk = LimitedHttpProtocol.on_chunk_header

    def counting(self: LimitedHttpProtocol) -> None:
        parsed.append(None)
        chunk(self)

    monkeypatch.setattr(LimitedHttpProtocol, "on_chunk_header", counting)
    answer_to(connect(hall), CHUNKED.replace(b"/api/verify", path) + b"1\r\n \r\n" * 50_000 + b"0\r\n\r\n" + HEAD + END)
    assert (len(parsed) > 50_000) is not guarded


def test_a_body_in_small_chunks_is_refused_with_a_sentence_and_one_in_usual_chunks_is_read(hall: LiveHall) -> None:
    """The guard of the test above, seen by a client that stops in time to read its answer."""
    tiny = answer_to(connect(hall), CHUNKED + b"1\r\n \r\n" * 300)
    assert (status_of(tiny), b"too many small chunks" in tiny) == (400, True)
    usual = b"40\r\n" + b" " * 64 + b"\r\n"
    read = answer_to(connect(hall), CHUNKED + usual * 1000 + b"2\r\n{}\r\n0\r\n\r\n" + HEAD + END)
    assert status_of(read) == 200


@both_ways
def test_thousands_of_requests_sent_ahead_are_not_kept(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(http_protocol, "MOST_PIPELINED", ENDLESS)
    begun = []
    begin = LimitedHttpProtocol.on_headers_complete

    def beginning(self: LimitedHttpProtocol) -> None:
        begun.append(self)
        begin(self)

    monkeypatch.setattr(LimitedHttpProtocol, "on_headers_complete", beginning)
    with hall.stalled():
        line = connect(hall)
        line.sendall(b"GET /healthz HTTP/1.1\r\n\r\n" * 1_000 + HEAD + END)
    answer_to(line, b"")
    assert (len(begun) > 500) is not guarded


def test_a_handshake_with_an_overlong_header_does_not_hold_its_connection_forever(hall: LiveHall) -> None:
    """It was neither answered nor timed out. There is no guard to switch off: the answer is the guard."""
    upgrade = (
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
    )
    line = connect(hall)
    line.sendall(upgrade + b"X: " + b"x" * 10_000 + b"\r\n\r\n")
    hall.request("GET", "/healthz")  # by now the bytes above were read
    hall.hours_later()
    hall.call(lambda: None)
    assert status_of(answer_to(line, b"")) == 400
    assert not any(isinstance(one, DirectProtocol) for one in hall.server.server_state.connections)


SLOW = {
    "nothing at all": b"",
    "half a head": HEAD,
    "half a body": b"POST /api/accounts/guest HTTP/1.1\r\nContent-Length: 100\r\n\r\n{",
    "empty lines": b"\r\n\r\n",
    "a request and then nothing": HEAD + b"\r\n",
    "a request and then empty lines": HEAD + b"\r\n\r\n\r\n",
    "a request and half of another": HEAD + b"\r\n" + HEAD,
}


@both_ways
@pytest.mark.parametrize("kind", SLOW)
def test_a_connection_that_never_gets_on_is_closed(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, kind: str, guarded: bool
) -> None:
    if not guarded:
        for name in ("HEAD_S", "BODY_S", "IDLE_S"):
            monkeypatch.setattr(http_protocol, name, 1e9)
    line = connect(hall)
    line.sendall(SLOW[kind])
    if kind.startswith("a request"):
        while not line.recv(4096).endswith(b"}"):
            pass
    hall.request("GET", "/healthz")  # by now the bytes above were read
    hall.hours_later()
    hall.call(lambda: None)
    open_now = [one for one in hall.server.server_state.connections if isinstance(one, LimitedHttpProtocol)]
    still = [one for one in open_now if one.client == line.getsockname()]
    assert (not still) is guarded


@both_ways
def test_answers_that_are_never_read_do_not_stay_in_memory(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """A connection that leaves data unread for a minute is aborted."""
    if not guarded:
        monkeypatch.setattr(connections, "WRITE_S", 1e9)
    line = connect(hall, buffer=4096)
    hall.request("GET", "/healthz")  # by now the connection is accepted
    hall.call(partial(shrink_send_buffers, hall))
    line.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 16)
    assert any(unread_connections(hall) for _ in range(1_000))
    hall.hours_later()
    hall.call(lambda: None)
    assert (unread_connections(hall) == 0) is guarded


def shrink_send_buffers(hall: LiveHall) -> None:
    """The kernel takes hardly anything, so that the server's memory must."""
    for one in tuple(hall.server.server_state.connections):
        one.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)


def unread_connections(hall: LiveHall) -> int:
    """Connections with answers that wait in the server's memory for their client to read them."""
    known = hall.server.server_state.connections
    return hall.call(lambda: sum(one.transport.get_write_buffer_size() > 0 for one in tuple(known)))


@both_ways
@pytest.mark.parametrize("behind", [b"", HEAD + b"\r\n"], ids=["alone", "pipelined"])
def test_a_client_that_hangs_up_does_not_keep_its_place_in_heavy_work(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, behind: bytes, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(app, "unless_gone", lambda request, work: work)
    work, body = EndlessWork(), b'{"format": "x"}'

    async def verify(address: str, _: bytes) -> dict[str, Any]:
        await work.run()
        return {}

    object.__setattr__(hall.running.parts, "verify", verify)
    line = connect(hall)
    line.sendall(
        b"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body + behind
    )
    assert work.begun.wait(WAIT_S)
    hang_up(hall, line)
    assert work.given_up is guarded
    work.released = True


LOSE = LimitedHttpProtocol.connection_lost


def lose_without_a_word(self: LimitedHttpProtocol, exc: Exception | None) -> None:
    """As it was: whatever is being answered does not hear that nobody is there any more."""
    self.answering = None
    LOSE(self, exc)


@both_ways
def test_clients_that_pipeline_requests_and_hang_up_do_not_fill_the_log(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, guarded: bool
) -> None:
    """Each left a traceback of 10 kB, because an answer was written to a connection that was gone."""
    if not guarded:
        monkeypatch.setattr(LimitedHttpProtocol, "connection_lost", lose_without_a_word)
    for _ in range(30):
        line = connect(hall)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closed by a reset
        line.sendall(b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 10)
        hall.request("GET", "/healthz")
        line.close()
    hall.request("GET", "/healthz")
    assert any(record.exc_info for record in caplog.records) is not guarded


async def unless_gone_with_a_cycle(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """As it was: the frame keeps the task, whose exception keeps the frame."""
    working = asyncio.ensure_future(work)
    await asyncio.wait({working})
    return working.result()


@both_ways
def test_records_that_cannot_be_checked_do_not_stay_in_memory(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Hundreds of refused records of 4 MiB each were kept until the next collection of garbage, which is rare."""
    if not guarded:
        monkeypatch.setattr(app, "unless_gone", unless_gone_with_a_cycle)

    async def refuse(address: str, _: bytes) -> dict[str, Any]:
        raise Refused(Code.RATE_LIMITED, "The queue is full.")

    object.__setattr__(hall.running.parts, "verify", refuse)
    gc.collect()
    gc.disable()
    try:
        for _ in range(8):
            with pytest.raises(HTTPError, match="429"):
                hall.request("POST", "/api/verify", {"record": "x"})
        hall.call(lambda: None)
        kept = sum(isinstance(one, Call) for one in gc.get_objects())
    finally:
        gc.enable()
    assert (kept >= 8) is not guarded


@both_ways
def test_records_that_are_sent_slowly_do_not_fill_the_memory(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Each may be 4 MiB and take a minute, so only a few of one address are on their way at once."""
    if not guarded:
        monkeypatch.setattr(parts, "MOST_RECEIVING", ENDLESS)
    lines = [connect(hall, "127.0.0.2") for _ in range(8)]
    for line in lines:
        line.sendall(b"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000000\r\n\r\n" + b"x" * 1000)
    answer = answer_to(connect(hall, "127.0.0.3"), b"POST /api/verify HTTP/1.1\r\nContent-Length: 2\r\n" + END + b"{}")
    assert status_of(answer) == 200  # somebody else is served
    assert (hall.call(lambda: hall.running.parts.large_bodies["127.0.0.2"]) > 4) is not guarded


def test_a_refused_record_is_not_even_read(hall: LiveHall) -> None:
    """There is no guard to switch off: the limit is counted before the body. The answer comes without any of it."""
    limits = hall.running.parts.limits
    limits.rates = {**limits.rates, "verify": Rate(burst=1, per_second=0.001)}
    hall.request("POST", "/api/verify", {})
    line = connect(hall)
    line.sendall(b"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000000\r\n\r\n")
    assert status_of(line.recv(4096)) == 429
