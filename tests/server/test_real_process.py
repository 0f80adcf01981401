"""What only a real process can show: a stop that loses nothing, a slow reader who is let go."""

from __future__ import annotations

import json
import re
import signal
import socket
import threading
from contextlib import closing, suppress
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.running import WAIT_S, RunningServer, running_server

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: hall\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def frame(text: bytes) -> bytes:
    """A text frame as a client sends it, masked with nothing."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def metric(server: RunningServer, name: str) -> float:
    """Asked for from an address of its own: limits count by address, and somebody else's flood uses them up."""
    with closing(HTTPConnection("127.0.0.1", server.port, WAIT_S, ("127.0.0.9", 0))) as line:
        line.request("GET", "/metrics")
        found = re.search(rf"^{name} (.+)$", line.getresponse().read().decode(), re.MULTILINE)
    assert found is not None
    return float(found.group(1))


def until_sockets(server: RunningServer, wanted: int) -> None:
    """Metrics are made once a second, so they are looked at about as often."""
    for _ in range(60):
        if metric(server, "dicehall_sockets") == wanted:
            return
        threading.Event().wait(0.5)
    pytest.fail(f"there are never {wanted} sockets")


def test_a_stop_in_the_middle_of_a_game_loses_nothing_and_ends_well(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        people = [server.post("/api/accounts/guest", {"name": name})["token"] for name in ("Ann", "Bo")]
        table = server.post("/api/tables", {"game": "wards", "rules": {"goal": 1000}}, people[0])["id"]
        for token in people:
            server.post(f"/api/tables/{table}/sit", {}, token)
        answered: dict[str, int] = {}

        def play() -> None:
            """Both hold in turn, as fast as they can, until the hall is closed."""
            for number in count():
                for token in people:
                    id = f"{number}"
                    try:
                        told = server.post(f"/api/tables/{table}/act", {"move": "hold", "id": id}, token)
                    except HTTPError as refused:
                        if refused.code == 503:
                            return
                        continue  # not their turn
                    except (URLError, OSError):
                        return
                    answered[f"{token} {id}"] = told["n"]

        playing = threading.Thread(target=play)
        playing.start()
        while len(answered) < 20:
            assert playing.is_alive()
        process = server.process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT_S) == 0
        playing.join(WAIT_S)
        assert '"level":"error"' not in server.log
        assert "Traceback" not in server.log
        server.start()
        stored = {update["n"]: update for update in server.get(f"/api/tables/{table}/events")["updates"]}
        for n in answered.values():
            assert any(event["event"] == "Held" for event in stored[n]["events"])
        assert len(set(answered.values())) == len(answered)


@pytest.mark.proof
def test_a_reader_who_reads_nothing_is_let_go(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(WAIT_S)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(HANDSHAKE)
        assert slow.recv(12) == b"HTTP/1.1 101"
        until_sockets(server, 1)
        slow.settimeout(0.05)
        ask = frame(b'{"id": 1, "do": "games"}') * 20
        with suppress(ConnectionError):
            for _ in range(400):
                with suppress(TimeoutError):
                    slow.send(ask)
        until_sockets(server, 0)
        assert server.get("/healthz") == {"ok": True}


def test_a_message_of_more_than_64_kib_closes_the_socket(server: RunningServer) -> None:
    with connect(server.socket_url, proxy=None) as line:
        line.send(json.dumps({"id": 1, "do": "guest", "name": "x" * 70_000}))
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(timeout=WAIT_S)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
