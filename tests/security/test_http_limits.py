"""Requests without end, in size or in time: refused with a code, and forgotten."""

from __future__ import annotations

import json

import pytest

from dicehall.server import http_protocol
from dicehall.server.http_protocol import LimitedHttpProtocol
from tests.security.live import LiveHall, both_ways
from tests.security.wire import answer_to, connect, status_of

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
    """The guard of the test above, seen by a client that stops in time to read its answer."""
    answer = answer_to(connect(hall), HEAD + b"a: b\r\n" * 101)
    assert status_of(answer) == 431
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "too_large"


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
