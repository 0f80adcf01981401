"""One client at an address of its own who does as much harm to a hall as its limits let it, until it is stopped."""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from os import urandom
from typing import Any

ADDRESS = "127.0.0.66"  # all of 127.0.0.0/8 is this machine; limits see a stranger
LINES = 20
PING, PONG, CONTINUATION = b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x00\x80\0\0\0\0"
HEADERS = b"a: b\r\n" * 90


@dataclass(frozen=True, slots=True)
class Attacker:
    """Asks over HTTP as one guest; whatever is refused is asked again."""

    port: int
    token: str
    finished: str  # a game that is over, for what can be asked about one
    running: str  # a game of its own against a bot, with hints
    long: str  # a table with a long journal

    def ask(self, line: HTTPConnection, method: str, path: str, body: Any = None) -> bytes:
        data = None if body is None else json.dumps(body)
        line.request(method, path, data, {"Authorization": f"Bearer {self.token}"})
        return line.getresponse().read()

    def line(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, 30, (ADDRESS, 0))

    def repeat(self, method: str, paths: list[str], body: Any = None) -> None:
        """Over several connections at the same time, without an end."""

        def send() -> None:
            line = self.line()
            for path in itertools.cycle(paths):
                try:
                    self.ask(line, method, path, body)
                except (OSError, HTTPException):
                    line.close()
                    time.sleep(0.05)

        for _ in range(LINES - 1):
            threading.Thread(target=send, daemon=True).start()
        send()

    def raw(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 30, (ADDRESS, 0))

    def web_socket(self) -> socket.socket:
        line = self.raw()
        key = b64encode(urandom(16)).decode()
        head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        line.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        line.recv(4096)
        return line

    def flood(self, connect: Callable[[], socket.socket], first: bytes, piece: bytes, read: bool) -> None:
        """The same bytes over many connections; one that is closed is opened again."""

        def send() -> None:
            while True:
                with suppress(OSError), connect() as line:
                    line.setblocking(False)
                    line.sendall(first)
                    while True:
                        with suppress(BlockingIOError):
                            line.send(piece)
                        with suppress(BlockingIOError):
                            if read and not line.recv(1 << 16):
                                break
                        time.sleep(0.001)
                time.sleep(0.02)

        for _ in range(LINES - 1):
            threading.Thread(target=send, daemon=True).start()
        send()

    def hold_open(self, count: int) -> None:
        """Connections that never say anything."""
        lines = []
        while True:
            with suppress(OSError):
                lines.append(self.raw())
            if len(lines) >= count:
                lines.clear()
            time.sleep(0.001)

    def pipeline(self) -> None:
        request = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + HEADERS + b"\r\n"
        self.flood(self.raw, b"", request * 16, read=True)


Attack = Callable[[Attacker], None]
WARDS = {"game": "wards"}
ATTACKS: dict[str, Attack] = {
    "empty pings": lambda one: one.flood(one.web_socket, b"", PING * 2000, read=True),
    "pings, replies never read": lambda one: one.flood(one.web_socket, b"", PING * 2000, read=False),
    "empty pongs": lambda one: one.flood(one.web_socket, b"", PONG * 2000, read=True),
    "empty continuations": lambda one: one.flood(one.web_socket, b"\x01\x80\0\0\0\0", CONTINUATION * 2000, read=True),
    "endless headers": lambda one: one.flood(one.raw, b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 2000, read=True),
    "pipelined requests": lambda one: one.pipeline(),
    "1100 idle connections": lambda one: one.hold_open(1100),
    "leaderboards": lambda one: one.repeat("GET", [f"/api/leaderboards/all?page={n}" for n in range(100)]),
    "pages of the lobby": lambda one: one.repeat("GET", [f"/api/tables?page={n}" for n in range(100)]),
    "QR pictures": lambda one: one.repeat("GET", [f"/t/{one.finished}/qr.svg"]),
    "opening tables": lambda one: one.repeat("POST", ["/api/tables"], WARDS),
    "reports of the coach": lambda one: one.repeat("GET", [f"/api/tables/{one.finished}/coach"]),
    "hints": lambda one: one.repeat("POST", [f"/api/tables/{one.running}/hint"], {}),
    "records": lambda one: one.repeat("GET", [f"/api/tables/{one.long}/record"]),
    "journals from the start": lambda one: one.repeat("GET", [f"/api/tables/{one.long}/events?since=0"]),
    "API pages and metrics": lambda one: one.repeat("GET", ["/docs", "/openapi.json", "/metrics"]),
}
