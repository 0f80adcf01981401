"""Connections and WebSockets that are opened and closed as fast as possible: few are let in, and nothing is kept."""

from __future__ import annotations

import gc
import json
from asyncio import Protocol
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest

from dicehall.core.game import Refused
from dicehall.launch.wiring import SystemClock
from dicehall.server import connections, origins
from dicehall.server.direct import DirectProtocol
from dicehall.server.http_protocol import LimitedHttpProtocol
from dicehall.server.limits import RATES, Limits, Rate
from dicehall.server.parts import Settings
from tests.security.live import LiveHall, both_ways, live_hall
from tests.security.wire import answer_to, connect, status_of, wire
from tests.server.doors import FREE, StoppedClock
from tests.server.wire import Wire, frame

ATTACKER = "127.0.0.66"
FEW = Rate(burst=20, per_second=0.01)
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
)


def limited(guarded: bool, kind: str) -> Limits:
    """Only one kind is limited, to a few in all, and with the guard off nothing is."""
    return Limits(SystemClock(), {**FREE, kind: FEW} if guarded else dict(FREE))


def upgraded(hall: LiveHall, *headers: bytes, source: str = ATTACKER) -> bytes:
    """Open a WebSocket and close it again: the answer to the upgrade."""
    with closing(connect(hall, source)) as line:
        line.sendall(UPGRADE + b"".join(header + b"\r\n" for header in headers) + b"\r\n")
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += line.recv(4096)
        return answer


@both_ways
def test_sockets_opened_and_closed_all_the_time_are_refused(tmp_path: Path, guarded: bool) -> None:
    with live_hall(tmp_path, limits=limited(guarded, "socket_address")) as hall:
        honest = hall.honest_pair()
        statuses = [status_of(upgraded(hall)) for _ in range(60)]
        assert (statuses.count(101) > FEW.burst) is not guarded
        assert set(statuses) == ({101, 429} if guarded else {101})
        assert all("ok" in honest.act() for _ in range(4))


def test_who_opens_sockets_too_fast_is_told_when_to_try_again(tmp_path: Path) -> None:
    """The guard of the test above, as its client sees it. The control is another address, which is let in."""
    limits = Limits(StoppedClock(), {**FREE, "socket_address": Rate(burst=1, per_second=0.5)})
    with live_hall(tmp_path, limits=limits) as hall:
        upgraded(hall)
        with closing(connect(hall, ATTACKER)) as line:
            head, _, body = answer_to(line, UPGRADE + b"\r\n").partition(b"\r\n\r\n")
        assert b"retry-after: 3" in head.lower()
        error = json.loads(body)["error"]
        assert (error["code"], error["retry_after"]) == ("rate_limited", 3)
        assert status_of(upgraded(hall, source="127.0.0.67")) == 101


@both_ways
def test_connections_opened_and_closed_all_the_time_are_refused(tmp_path: Path, guarded: bool) -> None:
    with live_hall(tmp_path, limits=limited(guarded, "connection_address")) as hall:
        answered = 0
        for _ in range(60):
            with closing(connect(hall, ATTACKER)) as line:
                answered += status_of(answer_to(line, HEALTH)) == 200
        assert (answered > FEW.burst) is not guarded
        with closing(connect(hall, "127.0.0.67")) as newcomer:
            assert status_of(answer_to(newcomer, HEALTH)) == 200


@both_ways
def test_sockets_behind_a_proxy_are_counted_by_the_address_that_it_forwards(tmp_path: Path, guarded: bool) -> None:
    """Addresses that the attacker invents stand to the left of the one that the proxy has added, and count nothing."""
    settings = replace(Settings(), trust_proxy=1)
    with live_hall(tmp_path, limits=limited(guarded, "socket_address"), settings=settings) as hall:

        def opened(nth: int) -> int:
            forged = b"X-Forwarded-For: 198.51.100.%d, 203.0.113.7" % nth
            return status_of(upgraded(hall, forged, source="127.0.0.1"))

        assert ([opened(nth) for nth in range(60)].count(101) > FEW.burst) is not guarded
        others = [upgraded(hall, b"X-Forwarded-For: 192.0.2.%d" % nth, source="127.0.0.1") for nth in range(60)]
        assert {status_of(other) for other in others} == {101}


@both_ways
def test_many_addresses_of_one_household_open_sockets_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """IPv6 gives a household 2^64 addresses. Shown behind a proxy, because a test has only one such address."""
    if not guarded:
        for module in (connections, origins):
            monkeypatch.setattr(module, "address_group", str)
    settings = replace(Settings(), trust_proxy=1)
    with live_hall(tmp_path, limits=limited(True, "socket_address"), settings=settings) as hall:
        forwarded = [b"X-Forwarded-For: 2001:db8:1:2::%x" % nth for nth in range(30)]
        statuses = [status_of(upgraded(hall, line, source="127.0.0.1")) for line in forwarded]
        assert statuses.count(101) == (FEW.burst if guarded else len(forwarded))


def test_a_household_that_reloads_its_page_meets_no_limit(hall: LiveHall) -> None:
    """Thirty people behind one address, each with six connections and a socket, as browsers have; twice in a row.

    They are the control of the limits above.
    """
    for _ in range(2):
        for _ in range(30):
            for _ in range(6):
                with closing(connect(hall)) as line:
                    assert status_of(answer_to(line, HEALTH)) == 200
            wire(hall).socket.close()


def test_the_limits_are_those_of_a_household_and_not_those_of_a_flood() -> None:
    """The control is the household, of which nobody is refused."""
    clock = StoppedClock()
    limits = Limits(clock)
    for kind, at_once in (("connection_address", 2 * 30 * 7), ("socket_address", 2 * 30)):
        for _ in range(at_once):
            limits.take(kind, "192.0.2.7")
        refused = 0
        for _ in range(500 * 18):  # the flood that was seen: 500 a second for 18 seconds
            clock.time += 2
            try:
                limits.take(kind, ATTACKER)
            except Refused:
                refused += 1
        assert 500 * 18 - refused <= RATES[kind].burst + 18 * RATES[kind].per_second + 1
        assert refused > 500 * 18 / 2


# -- what is kept of a closed connection --------------------------------------------------------------


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Garbage that refers to itself stays: a hall collects it rarely, because that takes long at a thousand tables."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def big_message() -> bytes:
    return frame(json.dumps({"id": 1, "do": "ping", "padding": "x" * 60_000}).encode())


def leave_at_once(line: Wire) -> None:
    line.send(big_message() * 3)


def leave_after_an_answer(line: Wire) -> None:
    line.send(big_message())
    line.receive()


def leave_within_a_message(line: Wire) -> None:
    line.send(big_message()[:40_000])


def leave_with_fragments(line: Wire) -> None:
    line.send(frame(b"x" * 60_000, fin=False))


def say_goodbye(line: Wire) -> None:
    line.send(bytes((0x88, 0x80)) + b"mask")
    line.close_code()


def send_nonsense(line: Wire) -> None:
    line.send(b"\xff" * 60_000)
    line.close_code()


LEAVING: list[Callable[[Wire], None]] = [
    leave_at_once,
    leave_after_an_answer,
    leave_within_a_message,
    leave_with_fragments,
    say_goodbye,
    send_nonsense,
]


def track(monkeypatch: pytest.MonkeyPatch, kind: type[Protocol]) -> WeakSet[Protocol]:
    """All protocols of this kind that are given a connection from now on, and still exist."""
    known, make = WeakSet[Protocol](), kind.connection_made

    def making(self: Any, transport: Any) -> None:
        make(self, transport)
        known.add(self)

    monkeypatch.setattr(kind, "connection_made", making)
    return known


@both_ways
@pytest.mark.usefixtures("no_collection")
def test_sockets_that_come_and_go_do_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Nothing of a closed socket waits for a garbage collection, in whichever way it ended."""
    if not guarded:
        monkeypatch.setattr(DirectProtocol, "let_go", lambda self: None)
    sockets, connections = track(monkeypatch, DirectProtocol), track(monkeypatch, LimitedHttpProtocol)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        for leave in LEAVING:
            before = len(sockets)
            for _ in range(20):
                line = wire(hall)
                leave(line)
                line.socket.close()
            wait_for_end(hall)
            kept = len(sockets) - before
            assert kept <= 1 if guarded else kept >= 20, leave.__name__
            assert len(connections) <= 1


def wait_for_end(hall: LiveHall) -> None:
    """Until the hall knows that all connections are closed and their tasks are over; then a few turns more."""
    server = hall.server.server_state
    while hall.call(lambda: bool(server.connections or server.tasks)):
        pass
    for _ in range(10):
        hall.call(lambda: None)


REQUESTS = {
    "answered": b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "refused": b"POST /api/accounts/guest HTTP/1.1\r\nHost: here\r\nContent-Length: 60000\r\n\r\n" + b"x" * 60_000,
    "half a body": b"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n" + b"x" * 50_000,
    "half a head": b"GET /api/games HTTP/1.1\r\nHost: " + b"x" * 10_000,
    "a handshake that fails": UPGRADE.replace(b"13", b"1") + b"\r\n",
    "a handshake that is too long": UPGRADE + b"X: " + b"x" * 10_000 + b"\r\n\r\n",
    "too many headers": b"GET /api/games HTTP/1.1\r\n" + b"a: b\r\n" * 500,
    "too many requests ahead": b"GET /api/games HTTP/1.1\r\n\r\n" * 100,
    "nonsense": b"\xff" * 10_000,
}


@pytest.mark.proof
@pytest.mark.usefixtures("no_collection")
def test_requests_on_new_connections_do_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no guard to switch off: what a connection holds is let go when it closes. It must stay so."""
    sockets, connections = track(monkeypatch, DirectProtocol), track(monkeypatch, LimitedHttpProtocol)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        for kind, request in REQUESTS.items():
            for _ in range(20):
                with closing(connect(hall)) as line:
                    line.sendall(request)
                    hall.call(lambda: None)
            wait_for_end(hall)
            assert len(connections) + len(sockets) <= 1, kind
