"""Requests of many accounts at one address, which have a limit together; and many requests at the same moment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Any
from urllib.error import HTTPError

import pytest

from dicehall.launch.wiring import SystemClock
from dicehall.server import turns
from dicehall.server.http_protocol import LimitedHttpProtocol
from dicehall.server.limits import Limits, Rate
from tests.security.live import LiveHall, Turns, both_ways, live_hall
from tests.security.wire import answer_to, connect, wire
from tests.server.doors import FREE
from tests.server.wire import frame

SENDERS = 8
EACH = 50
FEW = Rate(burst=200, per_second=0.01)  # for all accounts of an address


def limits(guarded: bool) -> Limits:
    return Limits(SystemClock(), {**FREE, "request_address": FEW} if guarded else dict(FREE))


def tokens(hall: LiveHall) -> list[str]:
    return [hall.guest(f"Mallory {nth}").token for nth in range(SENDERS)]


@both_ways
def test_eight_senders_at_one_address_do_not_get_eight_times_the_limit(tmp_path: Path, guarded: bool) -> None:
    """Honest players at another address are not counted with them."""
    with live_hall(tmp_path, limits=limits(guarded)) as hall:
        honest, answered = hall.honest_pair(), 0
        accounts = tokens(hall)
        for token in accounts:
            attacker = wire(hall, f"Authorization: Bearer {token}", source="127.0.0.66")
            attacker.send(b"".join(frame(json.dumps({"id": n, "do": "ping"}).encode()) for n in range(EACH)))
            answered += sum("ok" in json.loads(attacker.receive()[1]) for _ in range(EACH))
        assert (answered > FEW.burst) is not guarded
        assert all("ok" in honest.act() for _ in range(4))


@both_ways
def test_eight_accounts_over_http_do_not_get_eight_times_the_limit(tmp_path: Path, guarded: bool) -> None:
    with live_hall(tmp_path, limits=limits(guarded)) as hall:
        answered = 0
        for token in tokens(hall):
            for _ in range(EACH):
                with suppress(HTTPError):
                    answered += bool(hall.request("GET", "/api/me", None, token))
        assert (answered > FEW.burst) is not guarded


MALLORY = "127.0.0.66"
CONNECTIONS = 100
PIPELINED = 16
HEADERS = b"a: b\r\n" * 90
TINY = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + HEADERS + b"\r\n"


@both_ways
def test_requests_that_arrive_at_the_same_moment_are_not_all_begun_in_one_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Counted: how many were begun, and pieces of them parsed, between two turns in which an honest act is served."""
    if not guarded:
        monkeypatch.setattr(turns, "REQUESTS_PER_TURN", 10**9)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        honest, counted = hall.honest_pair(), count_pieces(hall, monkeypatch)
        lines = [connect(hall) for _ in range(CONNECTIONS)]
        for line in lines:
            line.sendall(TINY)
            read_answers(line, 1)
        counted.clear()
        with hall.stalled():
            for line in lines:
                line.sendall(TINY * PIPELINED)
        answered = honest.acts_while(lambda: read_all(lines))
        assert answered > 0
        assert (max(counted.values()) > CONNECTIONS // 2) is not guarded


@both_ways
def test_a_request_does_not_wait_behind_a_hundred_connections_of_another_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Counted: the attacker's requests that were begun before that of somebody else who asked a moment later."""
    if not guarded:
        monkeypatch.setattr(LimitedHttpProtocol, "source", "everybody")
    begun: list[str] = []
    begin = LimitedHttpProtocol.begin

    def noting(self: LimitedHttpProtocol, *given: Any) -> None:
        assert self.client is not None
        begun.append(self.client[0])
        begin(self, *given)

    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        lines, honest = [connect(hall, MALLORY) for _ in range(CONNECTIONS)], connect(hall)
        for line in (*lines, honest):
            line.sendall(TINY)
            read_answers(line, 1)
        monkeypatch.setattr(LimitedHttpProtocol, "begin", noting)
        with hall.stalled():
            for line in lines:
                line.sendall(TINY * PIPELINED)
            honest.sendall(TINY)
        read_answers(honest, 1)
    assert (begun.index("127.0.0.1") > CONNECTIONS) is not guarded


def count_pieces(hall: LiveHall, monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Pieces of work on requests by the turn of the event loop in which they were done."""
    counter, counted = Turns(hall), Counter[int]()
    for name in ("parse", "begin"):
        monkeypatch.setattr(LimitedHttpProtocol, name, counting(getattr(LimitedHttpProtocol, name), counter, counted))
    return counted


def counting(work: Callable[..., None], counter: Turns, counted: Counter[int]) -> Callable[..., None]:
    def count(*given: Any) -> None:
        counted[counter.count] += 1
        work(*given)

    return count


def read_all(lines: list[socket]) -> None:
    """Nothing is lost while it waits for its turn."""
    for line in lines:
        read_answers(line, PIPELINED)


def read_answers(line: socket, count: int) -> None:
    heard = b""
    while heard.count(b'{"ok":true}') < count:
        more = line.recv(65_536)
        assert more
        heard += more


def test_a_request_in_many_pieces_is_read_whole_whatever_waits(hall: LiveHall) -> None:
    """A body of many turns, sent together with the request after it; there is nothing to switch off here."""
    token = hall.guest("Ann").token.encode()
    body = b'{"name": "' + b"x" * 60_000 + b'"}'
    head = b"PATCH /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
    line = connect(hall)
    line.sendall((head % (token, len(body)) + body) * 2 + TINY.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    answer = answer_to(line, b"")
    assert (answer.count(b"HTTP/1.1 "), answer.count(b'{"ok":true}')) == (3, 1)
