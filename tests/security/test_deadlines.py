"""Acts that arrived before their deadline count, although the hall was too busy to look at them."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from dicehall.table import arrivals
from dicehall.table.arrivals import Arrival
from tests.security.live import WAIT_S, Honest, LiveHall, both_ways, live_hall
from tests.server.doors import StoppedClock

TURN_S = 5


def pass_time(hall: LiveHall, clock: StoppedClock, seconds: int) -> None:
    """The time passes second by second, and the hall has its pulse meanwhile."""
    host = hall.running.host
    for _ in range(seconds):
        clock.time += 1000
        asyncio.run_coroutine_threadsafe(host.pulse.beat(), hall.loop).result(WAIT_S)
        hall.call(host.arrivals.tick)


def http_act(hall: LiveHall, honest: Honest) -> tuple[bytes, bytes]:
    """The move of the player whose turn it is, as an HTTP request: its head and its body."""
    body = json.dumps({"move": "hold"}).encode()
    head = (
        f"POST /api/tables/{honest.table}/act HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        f"Authorization: Bearer {honest.people[0].token}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode(), body


def read_answer(line: socket.socket) -> dict[str, Any]:
    heard = b""
    while more := line.recv(65_536):
        heard += more
    answer: dict[str, Any] = json.loads(heard.partition(b"\r\n\r\n")[2])
    return answer


def heard_by(honest: Honest, seat: int, id: int) -> dict[str, Any]:
    while True:
        heard: dict[str, Any] = json.loads(honest.sockets[seat].recv(WAIT_S))
        if heard.get("re") == id:
            return heard


@both_ways
@pytest.mark.parametrize("door", ["socket", "http"])
def test_an_act_sent_before_its_deadline_counts_although_the_hall_was_stalled_until_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str, guarded: bool
) -> None:
    """The bytes wait in the kernel while something keeps the event loop busy over the deadline."""
    if not guarded:
        monkeypatch.setattr(arrivals, "STALL_MS", 10**9)
    clock = StoppedClock()
    with live_hall(tmp_path, clock=clock) as hall:
        honest = hall.honest_pair(TURN_S)
        line = hall.raw()
        pass_time(hall, clock, TURN_S - 1)
        with hall.stalled():
            if door == "socket":
                honest.sockets[0].send(json.dumps({"id": 1, "do": "act", "table": honest.table, "move": "hold"}))
            else:
                line.sendall(b"".join(http_act(hall, honest)))
            clock.time += 2000
        answer = heard_by(honest, 0, 1) if door == "socket" else read_answer(line)
        assert ("error" not in answer) is guarded


@both_ways
def test_an_early_head_does_not_bring_a_late_body_in_before_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Otherwise a player could reserve the right to decide later, after seeing what the others do."""
    if not guarded:
        first = property(lambda self: self.__dict__["at"], lambda self, at: self.__dict__.setdefault("at", at))
        early = type("Early", (Arrival,), {"__slots__": ("__dict__",), "at": first})
        monkeypatch.setattr(arrivals, "Arrival", early)
    clock = StoppedClock()
    with live_hall(tmp_path, clock=clock) as hall:
        honest = hall.honest_pair(TURN_S)
        head, body = http_act(hall, honest)
        line = hall.raw()
        pass_time(hall, clock, TURN_S - 1)
        line.sendall(head + body[:3])
        hall.request("GET", "/healthz")  # by now the head was read
        pass_time(hall, clock, 2)
        line.sendall(body[3:])
        assert ("error" in read_answer(line)) is guarded
