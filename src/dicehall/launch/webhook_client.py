"""One webhook over HTTP: to an address that was checked, in bounded time, and of the answer nothing but its status.

A name is resolved once, every address it has must be allowed, and the connection goes to one of these very addresses.
Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import SplitResult

import httptools

from dicehall import __version__
from dicehall.core.game import Refused
from dicehall.hall.deliveries import NotSent
from dicehall.hall.webhooks import Mode, check_webhook, is_public

SEND_S = 10.0  # from resolving the name to the status of the answer
MAX_HEAD_BYTES = 16 << 10  # of an answer
PORTS = {"https": 443, "http": 80}

Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, IPv4 first."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    ordered = sorted(found, key=lambda one: one[0] != socket.AF_INET)
    return list(dict.fromkeys(str(one[4][0]) for one in ordered))


@dataclass(slots=True)
class WebhookClient:
    mode: Mode
    resolve: Resolve = resolve
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
