"""Bytes on the wire: WebSocket frames and HTTP requests that no client library would send."""

from __future__ import annotations

import json
import socket
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from websockets.frames import Frame, Opcode

from tests.security.live import WAIT_S, LiveHall


def frame(content: bytes = b"", opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    return Frame(opcode, content, fin=fin).serialize(mask=True)


@dataclass(slots=True)
class Wire:
    """One WebSocket, byte by byte."""

    socket: socket.socket
    rest: bytes = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def take(self, size: int) -> bytes:
        while len(self.rest) < size:
            more = self.socket.recv(65_536)
            if not more:
                raise ConnectionResetError
            self.rest += more
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def receive(self) -> tuple[int, bytes]:
        """The kind and the content of the next frame."""
        kind, size = self.take(2)
        if size >= 126:
            size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
        return kind & 15, self.take(size)

    def ask(self, id: int, **what: Any) -> Any:
        self.send(frame(json.dumps({"id": id, **what}).encode()))
        while True:
            kind, content = self.receive()
            if kind == Opcode.TEXT and (heard := json.loads(content)).get("re") == id:
                return heard

    def close_code(self) -> int:
        """The code this socket is closed with; 0 where the connection ends without one."""
        try:
            while True:
                kind, content = self.receive()
                if kind == Opcode.CLOSE:
                    return int.from_bytes(content[:2], "big")
        except OSError:
            return 0


def connect(hall: LiveHall, source: str = "127.0.0.1", buffer: int | None = None) -> socket.socket:
    """A TCP connection from any loopback address, perhaps with hardly any room for what is sent to it."""
    line = hall.open.enter_context(socket.socket())
    line.settimeout(WAIT_S)
    if buffer is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.bind((source, 0))
    line.connect(("127.0.0.1", hall.port))
    return line


def wire(hall: LiveHall, *headers: str, source: str = "127.0.0.1", buffer: int | None = None) -> Wire:
    """A WebSocket after its handshake."""
    line = connect(hall, source, buffer)
    key = b64encode(b"0123456789abcdef").decode()
    more = "".join(f"{header}\r\n" for header in headers)
    line.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{hall.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{more}\r\n".encode("latin-1")
    )
    shaken = Wire(line)
    while not shaken.rest.endswith(b"\r\n\r\n"):
        shaken.rest += line.recv(1)
    assert shaken.rest.startswith(b"HTTP/1.1 101"), shaken.rest
    shaken.rest = b""
    return shaken


def answer_to(line: socket.socket, data: bytes) -> bytes:
    """All that is answered until the server closes the connection; what it no longer reads does not matter."""
    with suppress(OSError):
        line.sendall(data)
    heard = b""
    with suppress(OSError):
        while more := line.recv(65_536):
            heard += more
    return heard


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0
