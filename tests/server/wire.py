"""WebSocket frames byte by byte, for what no client library would send."""

from __future__ import annotations

import json
import socket
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

from websockets.frames import Frame, Opcode


def frame(content: bytes = b"", opcode: Opcode = Opcode.TEXT, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, content, fin=fin).serialize(mask=mask)


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

    def answers(self, count: int) -> list[Any]:
        return [json.loads(self.receive()[1])["re"] for _ in range(count)]

    def close_code(self) -> int:
        """The code this socket is closed with; 0 where the connection ends without one."""
        try:
            while True:
                kind, content = self.receive()
                if kind == Opcode.CLOSE:
                    return int.from_bytes(content[:2], "big")
        except OSError:
            return 0


def shake_hands(line: socket.socket, port: int, *headers: str) -> Wire:
    """A WebSocket over this connection, after its handshake."""
    key = b64encode(b"0123456789abcdef").decode()
    more = "".join(f"{header}\r\n" for header in headers)
    line.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{more}\r\n".encode("latin-1")
    )
    shaken = Wire(line)
    while not shaken.rest.endswith(b"\r\n\r\n"):
        shaken.rest += line.recv(1)
    assert shaken.rest.startswith(b"HTTP/1.1 101"), shaken.rest
    shaken.rest = b""
    return shaken
