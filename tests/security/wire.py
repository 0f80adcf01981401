"""Bytes on the wire: connections, WebSockets and HTTP requests that no client library would make."""

from __future__ import annotations

import socket
from contextlib import suppress

from tests.security.live import WAIT_S, LiveHall
from tests.server.wire import Wire, shake_hands


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
    return shake_hands(connect(hall, source, buffer), hall.port, *headers)


def hang_up(hall: LiveHall, line: socket.socket) -> None:
    """Close a connection, and wait until the server has noticed and told whatever worked for it."""
    address = line.getsockname()
    line.close()
    while any(getattr(one, "client", None) == address for one in tuple(hall.server.server_state.connections)):
        hall.request("GET", "/healthz")
    for _ in range(20):  # turns of the event loop, more than it takes to pass that on
        hall.call(lambda: None)


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
