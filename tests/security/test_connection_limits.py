"""Connections that only take up room: newcomers get in."""

from __future__ import annotations

import asyncio
import http.client
import resource
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dicehall.launch import file_limit
from dicehall.launch.output import Failed
from dicehall.server import connections as connections_module
from dicehall.server.connections import STATE, Connections, address_group
from dicehall.server.parts import Settings
from tests.security.live import LiveHall, both_ways, live_hall
from tests.security.wire import connect


def edge_of(hall: LiveHall) -> Connections:
    found = hall.server.lifespan.state[STATE]
    assert isinstance(found, Connections)
    return found


def newcomer(hall: LiveHall) -> int:
    """The status that somebody at another address gets, or 0."""
    line = http.client.HTTPConnection("127.0.0.1", hall.port, timeout=30, source_address=("127.0.0.9", 0))
    try:
        line.request("GET", "/healthz")
        return line.getresponse().status
    except OSError:
        return 0
    finally:
        line.close()


@both_ways
def test_one_address_cannot_take_all_connections(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(connections_module, "MOST_PER_ADDRESS", 10**9)
    for _ in range(270):
        connect(hall, "127.0.0.2")
    assert newcomer(hall) == 200
    held = hall.call(lambda: edge_of(hall).counts["127.0.0.2"])
    assert (held > 256) is not guarded


@both_ways
def test_a_newcomer_gets_in_despite_1100_idle_connections(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """The longest idle connection makes room. A limit of 1000 stands for that of the system."""
    if not guarded:
        monkeypatch.setattr(Connections, "make_room", lambda self: False)
    file_limit.raise_file_limit()
    hall.call(lambda: setattr(edge_of(hall), "most", 1000))
    for number in range(1100):
        connect(hall, f"127.0.1.{number % 11 + 1}")
    assert (newcomer(hall) == 200) is guarded


def test_a_busy_connection_does_not_make_room_for_idle_ones(hall: LiveHall) -> None:
    """Only idle HTTP connections are dropped: an honest player's socket stays, however many come.

    The control is the idle ones, which make room for one another.
    """
    honest = hall.honest_pair()
    honest.act()
    hall.call(lambda: setattr(edge_of(hall), "most", 10))
    for number in range(40):
        connect(hall, f"127.0.2.{number + 1}")
    assert all("ok" in honest.act() for _ in range(4))
    assert newcomer(hall) == 200


def test_the_address_of_a_trusted_proxy_is_not_limited(tmp_path: Path) -> None:
    """All people of a hall come from there; they are told apart by X-Forwarded-For.

    The control is the first test of this file, without a proxy.
    """
    with live_hall(tmp_path, settings=replace(Settings(), trust_proxy=1)) as hall:
        for _ in range(270):
            connect(hall)
        assert newcomer(hall) == 200
        assert hall.call(lambda: edge_of(hall).counts["127.0.0.1"]) == 270


@both_ways
def test_a_neighbour_of_a_trusted_proxy_cannot_take_all_connections(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Only the proxy itself is not limited: it alone forwards requests. Others of its network are."""
    if not guarded:
        monkeypatch.setattr(Connections, "is_proxy", lambda self, address: address.startswith("10."))
    edge = Connections(trust_proxy=1)
    edge.note_proxy("10.0.0.1")
    admitted = Counter(address for address in ("10.0.0.1", "10.0.0.66") * 300 if edge.admit(Transport(), address))
    assert admitted["10.0.0.1"] == 300
    assert (admitted["10.0.0.66"] == 300) is not guarded


def test_an_address_is_taken_for_a_proxy_only_behind_one_and_in_its_own_network() -> None:
    """A stranger on the Internet who sends X-Forwarded-For gets nothing by it, whatever the settings.

    The control is an address of the proxy's own network.
    """
    without, behind = Connections(), Connections(trust_proxy=1)
    for edge in (without, behind):
        for address in ("10.0.0.1", "8.8.8.8", *(f"10.0.1.{number}" for number in range(100))):
            edge.note_proxy(address)
    assert not without.proxies
    assert "8.8.8.8" not in behind.proxies
    assert "10.0.0.1" in behind.proxies
    assert len(behind.proxies) == connections_module.MOST_PROXIES


def test_a_proxy_is_known_by_the_requests_it_forwards(tmp_path: Path) -> None:
    """The control of the two tests above: before the first forwarded request nobody is taken for a proxy."""
    with live_hall(tmp_path, settings=replace(Settings(), trust_proxy=1)) as hall:
        assert newcomer(hall) == 200
        assert edge_of(hall).proxies == set()
        line = connect(hall)
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: hall\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
        assert line.recv(4096).startswith(b"HTTP/1.1 200")
        assert edge_of(hall).proxies == {"127.0.0.1"}


class Transport(asyncio.BaseTransport):
    """Nothing but something that can be counted."""


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("local", "local"),
    ],
)
def test_a_household_with_many_addresses_counts_once(address: str, group: str) -> None:
    """The control is IPv4, where every address counts by itself."""
    assert address_group(address) == group


@both_ways
def test_connections_that_come_and_go_do_not_use_up_the_places_of_their_address(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Each is waited for until the hall has noticed its end."""
    if not guarded:
        monkeypatch.setattr(Connections, "release", lambda self, transport: None)
    for _ in range(300):
        with closing(connect(hall, "127.0.0.9")):
            pass
        while hall.call(lambda: bool(hall.server.server_state.connections)):
            pass
    assert (newcomer(hall) == 200) is guarded


def test_a_low_limit_of_open_files_does_not_keep_newcomers_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is raised at the start. The control is a limit that cannot be raised: the hall says so and does not start."""
    limits = [(256, 4096)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: limits.append(new))
    assert file_limit.raise_file_limit() == 4096
    assert limits[-1] == (4096, 4096)
    assert file_limit.most_connections() == 4096 - file_limit.OWN
    limits.append((64, 64))
    with pytest.raises(Failed, match="only 64 files"):
        file_limit.raise_file_limit()
