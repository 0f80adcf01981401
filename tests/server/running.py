"""A real server: ``dicehall serve`` as a process of its own, on a free port, with its own store."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.launch.running import COMMAND, environment

WAIT_S = 30


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@dataclass(slots=True)
class RunningServer:
    """A server that can be killed and started again on the same port and store."""

    folder: Path
    options: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text()

    def start(self) -> None:
        """Start it and wait until it answers."""
        listen = ("--port", str(self.port), "--db", str(self.folder / "hall.db"))
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*COMMAND, "serve", *listen, *self.options], stdout=log, stderr=log, env=environment()
            )
        self.wait_till_ready(self.process)

    def wait_till_ready(self, process: subprocess.Popen[bytes]) -> None:
        """The kernel takes connections only once the server listens, and answers come once it is open."""
        while process.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", self.port), WAIT_S):
                    break
            except ConnectionRefusedError:
                try:
                    process.wait(0.02)
                except subprocess.TimeoutExpired:
                    continue
        assert process.poll() is None, f"the server did not start:\n{self.log}"
        self.get("/healthz")

    def kill(self) -> None:
        """As a power cut does it."""
        self.end(signal.SIGKILL)

    def stop(self) -> None:
        """As an operator does it; the server drains first."""
        self.end(signal.SIGTERM)

    def end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(WAIT_S)
            self.process = None

    def get(self, path: str, token: str | None = None) -> Any:
        return self.http("GET", path, None, token)

    def post(self, path: str, body: Any, token: str | None = None) -> Any:
        return self.http("POST", path, body, token)

    def http(self, method: str, path: str, body: Any, token: str | None) -> Any:
        """What is answered, as data; raises HTTPError on a refusal."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
            return json.loads(answer.read())


@contextmanager
def running_server(folder: Path, *options: str) -> Iterator[RunningServer]:
    """A server for a test; killed at its end, however that ends."""
    server = RunningServer(folder, options)
    server.start()
    try:
        yield server
    finally:
        server.kill()
