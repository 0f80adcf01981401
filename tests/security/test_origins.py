"""Pages of other sites and addresses that are made up: neither speaks for anybody else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.requests import HTTPConnection

from dicehall.launch.listening import config_of
from dicehall.launch.serving import Running
from dicehall.launch.wiring import SystemClock
from dicehall.server import hosts, origins, request_limit, sockets
from dicehall.server.hosts import is_known_host
from dicehall.server.limits import RATES, Limits, Rate
from dicehall.server.origins import address_of, same_origin
from dicehall.server.parts import Settings
from tests.security import live
from tests.security.live import LiveHall, both_ways, live_hall
from tests.security.wire import answer_to, connect, status_of

FREE = {kind: Rate(burst=1e9, per_second=1e9) for kind in RATES}


def guest_status(hall: LiveHall, *headers: str) -> int:
    """What a browser gets that asks for a guest with these headers."""
    lines = "".join(f"{header}\r\n" for header in headers)
    head = f"POST /api/accounts/guest HTTP/1.1\r\n{lines}Content-Length: 2\r\nConnection: close\r\n\r\n{{}}"
    return status_of(answer_to(connect(hall), head.encode("latin-1")))


@both_ways
def test_a_page_whose_name_was_made_to_point_here_signs_nobody_in(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """DNS rebinding: the Host and the Origin are the attacker's own name."""
    if not guarded:
        monkeypatch.setattr(origins, "is_our_host", lambda *_: True)
        monkeypatch.setattr(hosts, "is_known_host", lambda *_: True)
    harmed = guest_status(hall, "Host: evil.example", "Origin: http://evil.example") == 200
    assert harmed is not guarded


@pytest.mark.parametrize(
    "host", ["127.0.0.1, evil.example", "[::1].evil.example", "[::1]evil", "localhost:80/evil.example"]
)
def test_a_name_that_only_begins_like_an_address_is_not_answered(hall: LiveHall, host: str) -> None:
    """No browser sends such a Host. The control is the address itself, with and without a port."""
    assert guest_status(hall, f"Host: {host}") == 403
    assert guest_status(hall, "Host: [::1]") == 200
    assert guest_status(hall, "Host: 127.0.0.1:8000") == 200


@both_ways
def test_a_page_whose_name_was_made_to_point_here_gets_no_socket(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(origins, "is_our_host", lambda *_: True)
        monkeypatch.setattr(hosts, "is_known_host", lambda *_: True)
    head = (
        "GET /ws HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    )
    line = connect(hall)
    line.sendall(head.encode())
    assert (status_of(line.recv(4096)) == 101) is not guarded


PUBLIC = ("/api/tables", "/api/games", "/metrics", "/openapi.json", "/", "/readyz")


@both_ways
@pytest.mark.parametrize("path", PUBLIC)
def test_a_page_whose_name_was_made_to_point_here_reads_nothing(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, path: str, guarded: bool
) -> None:
    """Its GET carries no Origin, because for the browser it asks its own site."""
    if not guarded:
        monkeypatch.setattr(hosts, "is_known_host", lambda *_: True)
    head = f"GET {path} HTTP/1.1\r\nHost: evil.example:{hall.port}\r\nConnection: close\r\n\r\n"
    status = status_of(answer_to(connect(hall), head.encode()))
    assert (status == 200) is not guarded
    assert status in (200, 403)


def test_health_is_told_under_any_name(hall: LiveHall) -> None:
    """The control of the guard above: this page says nothing, and load balancers ask under other names."""
    head = b"GET /healthz HTTP/1.1\r\nHost: balancer.example\r\nConnection: close\r\n\r\n"
    assert status_of(answer_to(connect(hall), head)) == 200


@pytest.mark.parametrize("host", ["evil.example", "upstream.example:8000"])
def test_a_trusted_proxy_may_ask_under_any_name(tmp_path: Path, host: str) -> None:
    """It answers only to names its host configured, and some replace the Host header.

    The control is the attack above, which meets no proxy.
    """
    with live_hall(tmp_path, settings=replace(Settings(), trust_proxy=1)) as hall:
        head = f"GET /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        assert status_of(answer_to(connect(hall), head.encode())) == 200


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("hall.example", True),
        ("HALL.example.:8443", True),
        ("192.168.1.5:8000", True),
        ("203.0.113.7", True),
        ("[2001:db8::5]:8000", True),
        ("localhost:8000", True),
        ("gamebox:8000", True),
        ("gamebox.local:8000", True),
        ("gamebox.lan", True),
        ("gamebox.home.arpa", True),
        ("", True),
        ("evil.example", False),
        ("evil.example:8000", False),
        ("hall.example.evil.example", False),
        ("192.168.1.5.evil.example", False),
        ("127.0.0.1.nip.io", False),
        ("local.evil.example", False),
        ("eviLAN.example", False),
    ],
)
def test_a_name_that_strangers_can_register_is_not_this_hall(host: str, known: bool) -> None:
    """The control is the names that nobody can register, which are known."""
    assert is_known_host(host, "https://hall.example/dice") is known


def asked(host: str, reached: str = "192.168.1.5", **headers: str) -> HTTPConnection:
    lines = {"host": host, "origin": f"http://{host}", **headers}
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in lines.items() if value]
    return HTTPConnection({"type": "http", "headers": raw, "server": (reached, 8000), "client": ("192.0.2.1", 1)})


@pytest.mark.parametrize(
    ("host", "reached", "ours"),
    [
        ("hall.example", "10.0.0.1", True),
        ("192.168.1.5:8000", "192.168.1.5", True),
        ("192.168.1.5:8000", "::ffff:192.168.1.5", True),
        ("[2001:db8::5]:8000", "2001:db8::5", True),
        ("127.0.0.1:8000", "127.0.0.1", True),
        ("[::1]:8000", "::1", True),
        ("localhost:8000", "127.0.0.1", True),
        ("evil.example", "127.0.0.1", False),
        ("evil.example:8000", "192.168.1.5", False),
        ("hall.example.evil.example", "127.0.0.1", False),
        ("localhost.evil.example", "127.0.0.1", False),
        ("192.168.1.5.evil.example", "192.168.1.5", False),
        ("6.6.6.6", "192.168.1.5", False),
        ("[", "127.0.0.1", False),
        ("", "127.0.0.1", False),
    ],
)
def test_only_names_that_nobody_else_controls_are_this_hall(host: str, reached: str, ours: bool) -> None:
    """The control is the hall's own names and addresses."""
    assert same_origin(asked(host, reached), "https://hall.example/dice") is ours


def test_a_browser_that_is_misled_by_name_changes_nothing_even_without_an_origin() -> None:
    """The control is the same request under the hall's own name."""
    misled = asked("evil.example", origin="", sec_fetch_site="same-origin")
    assert not same_origin(misled, "https://hall.example")
    assert same_origin(asked("hall.example", origin="", sec_fetch_site="same-origin"), "https://hall.example")
    assert same_origin(asked("evil.example", origin=""), "https://hall.example")  # a program: it carries no cookie


def forwarded(*lines: str, proxies: int = 1) -> str:
    raw = [(b"x-forwarded-for", line.encode("latin-1")) for line in lines]
    scope = {"type": "http", "headers": raw, "client": ("10.0.0.9", 1)}
    return address_of(HTTPConnection(scope), trust_proxy=proxies)


@pytest.mark.parametrize(
    ("lines", "proxies", "address"),
    [
        (("192.0.2.1",), 1, "192.0.2.1"),
        (("6.6.6.6, 192.0.2.1",), 1, "192.0.2.1"),
        (("6.6.6.6", "192.0.2.1"), 1, "192.0.2.1"),
        (("6.6.6.6", "7.7.7.7, 192.0.2.1, 10.0.0.2"), 2, "192.0.2.1"),
        (("192.0.2.1", "10.0.0.2"), 2, "192.0.2.1"),
        (("192.0.2.1",), 2, "192.0.2.1"),
        (("192.0.2.1:4711",), 1, "192.0.2.1"),
        (("[2001:db8::7]:4711",), 1, "2001:db8::/64"),
        (("2001:db8::7",), 1, "2001:db8::/64"),
        (("\xff\xfe",), 1, "10.0.0.9"),
        (("x" * 5000,), 1, "10.0.0.9"),
        (("",), 1, "10.0.0.9"),
        ((), 1, "10.0.0.9"),
        (("192.0.2.1",), 0, "10.0.0.9"),
    ],
)
def test_a_forged_x_forwarded_for_does_not_change_the_address_that_counts(
    lines: tuple[str, ...], proxies: int, address: str
) -> None:
    """It is the one that the outermost trusted proxy saw.

    The control is the same line with nothing forged before it.
    """
    assert forwarded(*lines, proxies=proxies) == address


@both_ways
@pytest.mark.parametrize("made_up", ["a second line", "another of one household"])
def test_a_made_up_address_does_not_escape_the_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_up: str, guarded: bool
) -> None:
    """A client that writes X-Forwarded-For itself; the proxy appends the real address on a line of its own."""

    def first_line(connection: HTTPConnection, **_: Any) -> str:
        return connection.headers["x-forwarded-for"]

    if not guarded:
        monkeypatch.setattr(request_limit, "address_of", first_line)
        monkeypatch.setattr(sockets, "address_of", first_line)
    rates = {**FREE, "enter": Rate(burst=3, per_second=0.001)}
    settings = replace(Settings(), trust_proxy=1)
    with live_hall(tmp_path, limits=Limits(SystemClock(), rates), settings=settings) as hall:
        entered = []
        for number in range(6):
            lines = [f"X-Forwarded-For: 6.6.6.{number}", "X-Forwarded-For: 192.0.2.1"]
            if made_up != "a second line":
                lines = [f"X-Forwarded-For: 2001:db8::{number + 1}"]
            entered.append(guest_status(hall, "Host: 127.0.0.1", *lines))
    assert (entered.count(200) == 6) is not guarded


@both_ways
@pytest.mark.parametrize("proxies", [0, 1])
def test_a_client_on_this_machine_escapes_no_limit_with_addresses_that_no_proxy_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxies: int, guarded: bool
) -> None:
    """Without a proxy the header counts for nothing; behind one, what is no address counts as the proxy's own."""

    def believing(running: Running) -> uvicorn.Config:
        config = config_of(running)
        config.proxy_headers = True
        return config

    if not guarded:
        monkeypatch.setattr(live, "config_of", believing)
    rates = {**FREE, "enter": Rate(burst=3, per_second=0.001)}
    settings = replace(Settings(), trust_proxy=proxies)
    with live_hall(tmp_path, limits=Limits(SystemClock(), rates), settings=settings) as hall:
        made_up = [f"nobody-{number}" if proxies else f"6.6.6.{number}" for number in range(6)]
        entered = [guest_status(hall, "Host: 127.0.0.1", f"X-Forwarded-For: {one}") for one in made_up]
    assert entered.count(200) == (3 if guarded else 6)
