"""A receiver of webhooks on this machine: a real HTTP server that answers as a test wants it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WAIT_S = 100  # longer than the pause after a second failed try


@dataclass(frozen=True, slots=True)
class Received:
    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes


@dataclass(slots=True)
class Receiver:
    port: int = 0
    status: int = 200
    location: str | None = None  # where a redirect leads
    body: bytes = b""  # of the answer
    received: list[Received] = field(default_factory=list)
    answered: int = 0  # how often all of the body was sent
    arrived: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/dice?from=hall"

    def wait_for(self, count: int) -> list[Received]:
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.received) >= count, WAIT_S), "nothing arrived"
            return list(self.received)

    def take(self, received: Received) -> None:
        with self.arrived:
            self.received.append(received)
            self.arrived.notify_all()


@contextmanager
def receiver(port: int = 0, status: int = 200) -> Iterator[Receiver]:
    it = Receiver(status=status)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            it.take(Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(it.status)
            if it.location is not None:
                self.send_header("location", it.location)
            self.send_header("content-length", str(len(it.body)))
            self.end_headers()
            self.wfile.write(it.body)
            it.answered += 1

        def log_message(self, *_: object) -> None:
            return

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                return  # the hall reads no more than the status

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    it.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield it
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
