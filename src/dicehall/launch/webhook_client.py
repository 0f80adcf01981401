"""One webhook over HTTP: to an address that was checked, in bounded time, and of the answer nothing but its status.

A name is resolved once, every address it has must be allowed, and the connection goes to one of these very addresses.
Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import TypeAlias
from urllib.parse import SplitResult

import httptools

from dicehall import __version__
from dicehall.core.game import Refused
from dicehall.hall.deliveries import NotSent
from dicehall.hall.webhooks import Mode, check_webhook, is_public

SEND_S = 10.0  # from resolving the name to the status of the answer
MAX_HEAD_BYTES = 16 << 10  # of an answer
MOST_LOOKUPS = 32  # of names at once
PORTS = {"https": 443, "http": 80}

Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]


class Lookups:
    """Looks names up, each in a thread of its own: a name server that never answers holds up nobody else's name.

    A lookup cannot be stopped and may take longer than its webhook; nothing waits for it when the hall closes.
    """

    def __init__(self, most: int = MOST_LOOKUPS) -> None:
        self.most, self.running = most, 0

    async def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of a name, IPv4 first."""
        if self.running >= self.most:
            raise NotSent("time")
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[str]] = loop.create_future()
        self.running += 1
        Thread(target=self.look_up, args=(host, port, loop, found), daemon=True).start()
        return await found

    def look_up(self, host: str, port: int, loop: asyncio.AbstractEventLoop, found: asyncio.Future[list[str]]) -> None:
        answer = addresses_of(host, port)
        with suppress(RuntimeError):  # the hall is closed
            loop.call_soon_threadsafe(self.tell, found, answer)

    def tell(self, found: asyncio.Future[list[str]], answer: list[str] | OSError) -> None:
        self.running -= 1
        if found.done():  # nobody waits any more
            return
        if isinstance(answer, OSError):
            found.set_exception(answer)
        else:
            found.set_result(answer)


def addresses_of(host: str, port: int) -> list[str] | OSError:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as trouble:
        return trouble
    except ValueError:  # a label that no name can have
        return []
    ordered = sorted(found, key=lambda one: one[0] != socket.AF_INET)
    return list(dict.fromkeys(str(one[4][0]) for one in ordered))


@dataclass(slots=True)
class WebhookClient:
    mode: Mode
    resolve: Resolve = field(default_factory=lambda: Lookups().resolve)
    seconds: float = SEND_S
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    async def send(self, url: str, headers: dict[str, str], body: bytes) -> int:
        try:
            parts = check_webhook(url, self.mode)
            async with asyncio.timeout(self.seconds):
                return await self.post(parts, headers, body)
        except Refused:
            raise NotSent("address") from None
        except TimeoutError:
            raise NotSent("time") from None
        except OSError:  # no such name, nobody there, or a certificate that is not valid
            raise NotSent("connection") from None

    async def post(self, parts: SplitResult, headers: dict[str, str], body: bytes) -> int:
        reader, writer = await self.connect(parts)
        try:
            writer.write(request_of(parts, headers, body))
            return await read_status(reader)
        finally:
            writer.transport.abort()

    async def connect(self, parts: SplitResult) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        addresses = await self.resolve(host, port)
        if not addresses or (self.mode == "public" and not all(map(is_public, addresses))):
            raise NotSent("address")
        tls, name = (self.tls, host) if parts.scheme == "https" else (None, None)
        return await asyncio.open_connection(addresses[0], port, limit=MAX_HEAD_BYTES, ssl=tls, server_hostname=name)


def request_of(parts: SplitResult, headers: Mapping[str, str], body: bytes) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    fixed = {
        "host": parts.netloc,
        "user-agent": f"dicehall/{__version__}",
        "content-length": str(len(body)),
        "connection": "close",
    }
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in {**fixed, **headers}.items())]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


@dataclass(slots=True)
class Head:
    is_whole: bool = False

    def on_headers_complete(self) -> None:
        self.is_whole = True


async def read_status(reader: asyncio.StreamReader) -> int:
    """The status of an answer, once its head is complete; not a byte more is waited for."""
    received = 0
    head = Head()
    parser = httptools.HttpResponseParser(head)
    while received <= MAX_HEAD_BYTES and (data := await reader.read(4096)):
        received += len(data)
        try:
            parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            if not head.is_whole:
                raise NotSent("answer") from None
        if head.is_whole and (status := int(parser.get_status_code())) >= 200:
            return status
    raise NotSent("answer")
