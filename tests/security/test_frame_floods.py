"""Floods of frames: an honest player is served between them, and the flood is closed."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Opcode

from dicehall.launch.wiring import SystemClock
from dicehall.server import conn as conn_module
from dicehall.server import direct, hearing, turns
from dicehall.server.conn import SocketConn
from dicehall.server.direct import DirectProtocol
from dicehall.server.limits import RATES, Limits, Rate
from tests.security.live import LiveHall, both_ways, live_hall
from tests.security.wire import wire
from tests.server.wire import Wire, frame

FREE = {kind: Rate(burst=1e9, per_second=1e9) for kind in RATES}
ENDLESS = 10**9
FLOOD = 20_000
FLOODS = {
    "pings": frame(b"", Opcode.PING) * FLOOD,
    "pongs": frame(b"", Opcode.PONG) * FLOOD,
    "continuations": frame(b"", fin=False) + frame(b"", Opcode.CONT, fin=False) * FLOOD,
    "empty messages": frame(b"") * FLOOD,
    "unreadable messages": frame(b"{") * FLOOD,
    "empty binary messages": frame(b"", Opcode.BINARY) * FLOOD,
}


def switch_off_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "FRAMES_PER_SLICE", ENDLESS)
    monkeypatch.setattr(turns, "FRAMES_PER_TURN", ENDLESS)
    monkeypatch.setattr(direct, "BYTES_PER_SLICE", ENDLESS)
    monkeypatch.setattr(hearing, "MOST_WAITING", ENDLESS)


def watch_frames(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Every frame the server handles from now on: whether it was the honest player's act."""
    handled: list[bool] = []
    take = DirectProtocol.take

    def taking(self: Any, data: bytes, at: int, begin: int, end: int) -> None:
        handled.append(end - begin > 20)
        take(self, data, at, begin, end)

    monkeypatch.setattr(DirectProtocol, "take", taking)
    return handled


@both_ways
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_does_not_delay_an_honest_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, guarded: bool
) -> None:
    """Counted: how many frames of the attacker are handled before the act of the honest player is."""
    if not guarded:
        switch_off_budget(monkeypatch)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        honest, attacker = hall.honest_pair(), wire(hall)
        honest.act()
        handled = watch_frames(monkeypatch)
        with hall.stalled():
            attacker.send(FLOODS[kind])
            honest.acts += 1
            honest.sockets[1].send(json.dumps({"id": 2, "do": "act", "table": honest.table, "move": "hold"}))
        while json.loads(honest.sockets[1].recv(60)).get("re") != 2:
            pass
        before = handled.index(True)
        assert (before > 2_000) is not guarded


@both_ways
def test_a_flood_over_many_sockets_does_not_delay_an_honest_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        switch_off_budget(monkeypatch)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        honest, attackers = hall.honest_pair(), [wire(hall) for _ in range(20)]
        honest.act()
        handled = watch_frames(monkeypatch)
        with hall.stalled():
            for attacker in attackers:
                attacker.send(frame(b"", Opcode.PING) * 2_000)
            honest.acts += 1
            honest.sockets[1].send(json.dumps({"id": 2, "do": "act", "table": honest.table, "move": "hold"}))
        while json.loads(honest.sockets[1].recv(60)).get("re") != 2:
            pass
        assert (handled.index(True) > 2_000) is not guarded


@both_ways
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_is_closed(tmp_path: Path, kind: str, guarded: bool) -> None:
    """Control, empty and unreadable messages count as requests."""
    rates = dict(FREE)
    if guarded:
        rates |= {"request": Rate(burst=100, per_second=0.1), "flood": Rate(burst=20, per_second=0.1)}
    with live_hall(tmp_path, limits=Limits(SystemClock(), rates)) as hall:
        attacker = wire(hall)
        size = 6 if b"{" not in FLOODS[kind][:7] else 7
        attacker.send(FLOODS[kind][: size * 1_000])
        end = frame(b"", Opcode.CONT) if kind == "continuations" else b""
        attacker.send(end + frame(b'{"id": "alive", "do": "ping"}'))
        assert (attacker_end(attacker) == 4029) is guarded


def attacker_end(attacker: Wire) -> int:
    """The code with which it was closed; 0 if it is answered to the end."""
    while True:
        kind, content = attacker.receive()
        if kind == Opcode.CLOSE:
            return int.from_bytes(content[:2], "big")
        if kind == Opcode.TEXT and json.loads(content).get("re") == "alive":
            return 0


def test_a_frame_whose_size_is_written_in_eight_bytes_opens_no_way_around_the_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no guard to switch off: such a frame is read as any other. Before, all that followed was unlimited."""
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        attacker = wire(hall)
        handled = watch_frames(monkeypatch)
        attacker.send(bytes((0x89, 0xFF)) + bytes(8) + b"mask" + frame(b"", Opcode.PING) * 500)
        assert attacker.ask(1, do="ping")["ok"]
        assert len(handled) == 502


def test_what_waits_of_a_flood_is_not_copied_in_every_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise 192 handled bytes cost a copy of a quarter of a megabyte, and honest players waited for seconds.

    There is no guard to switch off: before, the rest was a new object after every 32 frames.
    """
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        attacker, pieces = wire(hall), list[bytes]()
        take = DirectProtocol.take

        def taking(self: Any, data: bytes, at: int, begin: int, end: int) -> None:
            if not pieces or pieces[-1] is not data:
                pieces.append(data)
            take(self, data, at, begin, end)

        monkeypatch.setattr(DirectProtocol, "take", taking)
        with hall.stalled():
            attacker.send(frame(b"", Opcode.PONG) * 10_000)
        assert attacker.ask(1, do="ping")["ok"]
        assert len(pieces) < 100


@both_ways
def test_a_flood_that_goes_on_after_it_was_closed_is_not_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Closing waits for the client's reply, so reading goes on: but only as fast as what came is handled."""
    if not guarded:
        monkeypatch.setattr(DirectProtocol, "update_reading", lambda self: None)
    monkeypatch.setattr(turns, "FRAMES_PER_SLICE", 1)
    monkeypatch.setattr(conn_module, "PATIENCE_S", 3600.0)
    rates = {**FREE, "request": Rate(burst=100, per_second=0.1), "flood": Rate(burst=20, per_second=0.1)}
    with live_hall(tmp_path, limits=Limits(SystemClock(), rates)) as hall:
        attacker, waiting = wire(hall), 0
        attacker.socket.setblocking(False)
        for _ in range(400):
            with suppress(BlockingIOError, ConnectionError):
                attacker.socket.send(frame(b"", Opcode.PONG) * 20_000)
            waiting = max(waiting, hall.call(lambda: unhandled(hall)))
            if waiting > 2 * MOST_BYTES:
                break
        assert (waiting > 2 * MOST_BYTES) is not guarded


@both_ways
def test_a_flood_that_goes_on_after_it_was_closed_costs_hardly_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Counted: the frames that are still parsed. Only the reply to the closing counts, and that is found."""
    if not guarded:
        monkeypatch.setattr(DirectProtocol, "is_ignored", lambda self, first: False)
    rates = {**FREE, "request": Rate(burst=100, per_second=0.1), "flood": Rate(burst=20, per_second=0.1)}
    parsed, parse = list[bytes](), WebSocketsSansIOProtocol.data_received

    def parsing(self: Any, data: bytes) -> None:
        parsed.append(data)
        parse(self, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", parsing)
    with live_hall(tmp_path, limits=Limits(SystemClock(), rates)) as hall:
        attacker = wire(hall)
        attacker.send(frame(b"", Opcode.PONG) * 5_000 + frame((4029).to_bytes(2, "big"), Opcode.CLOSE))
        assert attacker.close_code() == 4029
        with suppress(OSError):
            while attacker.socket.recv(65_536):
                pass
        assert (len(parsed) > 1_000) is not guarded
        assert parsed[-1][:1] == bytes((0x88,))


def unhandled(hall: LiveHall) -> int:
    """Bytes that were received over sockets and wait to be handled."""
    known = tuple(hall.server.server_state.connections)
    return sum(len(one.unread) - one.offset for one in known if isinstance(one, DirectProtocol))


@both_ways
def test_pongs_that_are_never_read_do_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(conn_module, "MOST_BYTES", ENDLESS)
        monkeypatch.setattr(conn_module, "MOST_WAITING", ENDLESS)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        attacker, waiting = wire(hall, buffer=4096), 0
        pings = frame(b"x" * 125, Opcode.PING) * 2_000
        try:
            for _ in range(80):
                attacker.send(pings)
                waiting = max(waiting, unsent(hall))
                if waiting > 2 * MOST_BYTES:
                    break
        except OSError:
            pass
        assert (waiting > 2 * MOST_BYTES) is not guarded


MOST_BYTES = conn_module.MOST_BYTES


def unsent(hall: LiveHall) -> int:
    """Bytes that wait in the server's memory for clients to read them."""
    connections = hall.server.server_state.connections
    return hall.call(lambda: sum(one.transport.get_write_buffer_size() for one in tuple(connections)))


def sockets_of(hall: LiveHall) -> int:
    connections = hall.server.server_state.connections
    return hall.call(lambda: sum(isinstance(one, DirectProtocol) for one in tuple(connections)))


def fill(hall: LiveHall, attacker: Wire, until: int) -> None:
    """Ask for large answers and read none, until so many bytes wait in the server's memory."""
    for number in range(2_000):
        attacker.send(frame(json.dumps({"id": number, "do": "games"}).encode()))
        if unsent(hall) > until:
            return


@both_ways
def test_a_socket_that_does_not_read_is_aborted_and_its_memory_freed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """It counts as open until it really is gone."""
    if not guarded:
        monkeypatch.setattr(DirectProtocol, "abort", lambda self: None)
        monkeypatch.setattr("dicehall.server.connections.CLOSE_S", 1e9)
        monkeypatch.setattr("dicehall.server.connections.WRITE_S", 1e9)
    monkeypatch.setattr(conn_module, "PATIENCE_S", 3600.0)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        attacker = wire(hall, buffer=4096)
        fill(hall, attacker, MOST_BYTES // 2)
        (caller,) = hall.running.sockets.open.values()
        hall.call(lambda: caller.conn.close(4008))
        assert (len(hall.running.sockets.open), sockets_of(hall)) == (1, 1)
        hall.call(conn_of(caller).give_up)
        hall.hours_later()
        hall.call(lambda: None)
        gone = (len(hall.running.sockets.open), sockets_of(hall), unsent(hall)) == (0, 0, 0)
        assert gone is guarded
        if not guarded:
            monkeypatch.undo()
            hall.hours_later()


@both_ways
def test_more_than_512_small_messages_never_wait_for_a_slow_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(conn_module, "MOST_WAITING", ENDLESS)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        attacker = wire(hall, buffer=4096)
        fill(hall, attacker, 100_000)
        (caller,) = hall.running.sockets.open.values()
        small = json.dumps({"now": 1}).encode()
        hall.call(lambda: push_often(caller, small))
        assert not closing(caller)
        hall.call(lambda: push_often(caller, small))
        assert unsent(hall) < MOST_BYTES
        assert closing(caller) is guarded


def push_often(caller: Any, message: bytes) -> None:
    for _ in range(300):
        caller.conn.push(message)


def conn_of(caller: Any) -> SocketConn:
    assert isinstance(caller.conn, SocketConn)
    return caller.conn


def closing(caller: Any) -> bool:
    return conn_of(caller).closing is not None
