"""The referee bot of Mana as the hall reads it: over HTTP, bounded in size, time and number of requests.

Only the host says where the bot is. Redirects are not followed, and nothing but a JSON object of the expected shape is
passed on.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import ssl
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

import httptools
import msgspec

from dicehall.core.game import Refused
from dicehall.launch.output import Failed
from dicehall.server.mana import bot_unavailable, no_such_match
from dicehall.table.requests import Code
from dicehall.wire.decode_errors import DECODE_ERRORS
from dicehall.wire.errors import clipped

log = logging.getLogger("dicehall.launch")

DEFAULT_URL = "http://127.0.0.1:4444"
MAX_BYTES = 1 << 20  # of an answer
MAX_HEAD_BYTES = 16 << 10
ANSWER_S = 3.0  # from the question to its last byte, waiting for others included
MAX_AT_ONCE = 4  # connections
MAX_WAITING = 32  # different questions, those that are being answered included
FRESH_S = 1.0  # how long an answer, or a failure, is given to everybody who asks the same
MAX_KEPT = 64
PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*/?")

NONE = "This hall has no Mana bot."
AWAY = "The Mana bot is not running, or cannot be reached."
SLOW = "The Mana bot did not answer in time."
UNREADABLE = "The Mana bot sent something that is not an answer."


class InvalidAnswer(Exception):
    """Something came back, but no answer of a bot."""


@dataclass(frozen=True, slots=True)
class BotAddress:
    host: str
    port: int
    prefix: str = ""
    tls: bool = False

    @property
    def name(self) -> str:
        """As it stands in the Host header."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_bot_url(text: str) -> BotAddress | None:
    """Where a host says that the bot is: anywhere over https, on this machine also over http; ``none`` is nowhere."""
    if text == "none":
        return None
    try:
        url = urlsplit(text)
        host, port = url.hostname or "", url.port
    except ValueError:
        host = ""
    if not host or url.username is not None or url.query or url.fragment or not PATH.fullmatch(url.path):
        raise Failed(f"--mana-bot must be an address such as {DEFAULT_URL}, or none, not {clipped(text)!r}.")
    if url.scheme != "https" and not (url.scheme == "http" and is_loopback(host)):
        raise Failed("--mana-bot must be an https address, or http on this machine (127.0.0.1, ::1 or localhost).")
    tls = url.scheme == "https"
    return BotAddress(host, port or (443 if tls else 80), url.path.rstrip("/"), tls)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(slots=True)
class Question:
    """A request to the bot that is under way or was just answered; everybody who asks the same shares it."""

    outcome: asyncio.Task[msgspec.Raw | Refused]
    answered_at: float | None = None

    def is_fresh(self, now: float) -> bool:
        return not self.outcome.cancelled() and (self.answered_at is None or now - self.answered_at < FRESH_S)


class ManaBotClient:
    """Asks the bot on behalf of everybody who looks at its matches."""

    def __init__(
        self, address: BotAddress | None, seconds: float = ANSWER_S, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.address = address
        self.seconds = seconds
        self.now = now
        self.questions: OrderedDict[str, Question] = OrderedDict()
        self.places = asyncio.Semaphore(MAX_AT_ONCE)
        self.tls = ssl.create_default_context() if address is not None and address.tls else None

    async def get(self, path: str, shape: type[msgspec.Struct]) -> msgspec.Raw:
        if self.address is None:
            raise bot_unavailable(NONE)
        question = self.questions.get(path)
        if question is None or not question.is_fresh(self.now()):
            question = self.ask(self.address, path, shape)
        outcome = await asyncio.shield(question.outcome)
        if isinstance(outcome, Refused):
            raise Refused(outcome.code, outcome.sentence, **outcome.more)
        return outcome

    def ask(self, address: BotAddress, path: str, shape: type[msgspec.Struct]) -> Question:
        if sum(one.answered_at is None for one in self.questions.values()) >= MAX_WAITING:
            raise Refused(Code.RATE_LIMITED, "Too many people are waiting for the Mana bot right now.", retry_after=5)
        question = Question(asyncio.create_task(self.settle(address, path, shape)))
        question.outcome.add_done_callback(lambda _: self.note(question))
        self.questions.pop(path, None)
        self.questions[path] = question
        return question

    def note(self, question: Question) -> None:
        """Answered: drop what is too old or too much, and what is still under way never."""
        now = question.answered_at = self.now()
        answered = [path for path, one in self.questions.items() if one.answered_at is not None]
        surplus = answered[: max(0, len(answered) - MAX_KEPT)]
        for path in {*surplus, *(path for path in answered if not self.questions[path].is_fresh(now))}:
            del self.questions[path]

    async def settle(self, address: BotAddress, path: str, shape: type[msgspec.Struct]) -> msgspec.Raw | Refused:
        try:
            async with asyncio.timeout(self.seconds), self.places:
                status, body = await fetch(address, path, self.tls)
                if status == 404 and path.startswith("/match/"):
                    return no_such_match()
                if status != 200:
                    raise InvalidAnswer(f"status {status}")
                return await asyncio.to_thread(checked, body, shape)
        except TimeoutError as error:
            return self.failed(path, SLOW, error)
        except OSError as error:
            return self.failed(path, AWAY, error)
        except InvalidAnswer as error:
            return self.failed(path, UNREADABLE, error)

    def failed(self, path: str, sentence: str, error: Exception) -> Refused:
        log.debug("The Mana bot, asked for %s: %s (%r)", path, sentence, error)
        return bot_unavailable(sentence)

    def close(self) -> None:
        for question in self.questions.values():
            question.outcome.cancel()


def checked(body: bytes, shape: type[msgspec.Struct]) -> msgspec.Raw:
    """The answer, written anew; away from the event loop, because it can be long."""
    try:
        answer = msgspec.json.decode(body)
        msgspec.convert(answer, shape)
        return msgspec.Raw(msgspec.json.encode(answer))
    except DECODE_ERRORS as error:
        raise InvalidAnswer(str(error)) from None


@dataclass(slots=True)
class Response:
    """What the parser found so far, of the first response only."""

    has_length: bool = False
    body: bytearray = field(default_factory=bytearray)
    is_whole: bool = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.has_length |= name.lower() in (b"content-length", b"transfer-encoding")

    def on_body(self, data: bytes) -> None:
        if not self.is_whole:
            self.body += data

    def on_message_complete(self) -> None:
        self.is_whole = True


async def fetch(address: BotAddress, path: str, tls: ssl.SSLContext | None) -> tuple[int, bytes]:
    """The status and the body of one answer, read no further than it may be long."""
    reader, writer = await asyncio.open_connection(address.host, address.port, ssl=tls)
    try:
        target = address.prefix + quote(path, safe="/?=&")
        head = f"GET {target} HTTP/1.1\r\nHost: {address.name}\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
        writer.write(head.encode("ascii"))
        return await read_response(reader)
    finally:
        writer.transport.abort()


async def read_response(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    response = Response()
    parser = httptools.HttpResponseParser(response)
    received = 0
    while not response.is_whole and (data := await reader.read(1 << 16)):
        received += len(data)
        if received > MAX_BYTES + MAX_HEAD_BYTES:
            raise InvalidAnswer("too long")
        try:
            parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            raise InvalidAnswer(str(error)) from None
    if len(response.body) > MAX_BYTES:
        raise InvalidAnswer("too long")
    if not received or (response.has_length and not response.is_whole):
        raise InvalidAnswer("cut short")
    return int(parser.get_status_code()), bytes(response.body)
