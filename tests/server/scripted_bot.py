"""A referee bot that says what a test has written down: over real HTTP on a free port, or in the same process."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.server.mana import no_such_match
from tests.server.bot_answers import all_answers

HANG = b""  # take the question, and answer only when the bot is released


def http(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = (f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers)
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


NOT_FOUND = http(b'{"error": {"code": "not_found", "message": "There is no such match."}}', "404 Not Found")


@dataclass(slots=True)
class ScriptedBot:
    """*said* is by path: a document, or the very bytes of a response. The path ``*`` stands for all others."""

    said: dict[str, Any]
    asked: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    most_at_once: int = 0
    open: int = 0
    released: threading.Event = field(default_factory=threading.Event)
    changed: threading.Condition = field(default_factory=threading.Condition)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def arrived(self, head: str) -> None:
        with self.changed:
            self.heads.append(head)
            self.asked.append(head.split(" ")[1])
            self.open += 1
            self.most_at_once = max(self.most_at_once, self.open)
            self.changed.notify_all()

    def left(self) -> None:
        with self.changed:
            self.open -= 1

    def wait_for(self, count: int) -> None:
        """Until so many questions have arrived."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.asked) >= count, 20)

    def response(self, target: str) -> bytes:
        said = self.said.get(target.partition("?")[0], self.said.get("*", NOT_FOUND))
        return said if isinstance(said, bytes) else http(json.dumps(said).encode())


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, bot: ScriptedBot) -> None:
        self.bot = bot
        super().__init__(("127.0.0.1", bot.port), Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The hall hangs up on answers that are too long."""


class Handler(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        bot = self.server.bot
        head = b""
        while line := self.rfile.readline().strip():
            head += line + b"\n"
        bot.arrived(head.decode())
        target = head.decode().split(" ")[1]
        try:
            response = bot.response(target)
            if response == HANG:
                bot.released.wait(20)
                response = bot.response(target)
            self.wfile.write(response)
        finally:
            bot.left()


@contextmanager
def scripted_bot(said: dict[str, Any]) -> Iterator[ScriptedBot]:
    bot = ScriptedBot(said)
    with Server(bot) as server:
        bot.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield bot
        finally:
            bot.released.set()
            server.shutdown()
            thread.join(20)


@dataclass(slots=True)
class LocalBot:
    """The same without a network, for halls in one process."""

    said: dict[str, Any] = field(default_factory=all_answers)

    async def get(self, path: str, shape: type[msgspec.Struct]) -> msgspec.Raw:
        path = path.partition("?")[0]
        if path not in self.said:
            raise no_such_match()
        return msgspec.Raw(msgspec.json.encode(self.said[path]))

    def close(self) -> None: ...
