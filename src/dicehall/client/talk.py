"""A conversation with a hall that survives lost connections.

Every request is kept until it is answered. When a line breaks, another is dialled, the hall is greeted again, and
what is unanswered is sent once more: requests that change something carry an id of their own (`once`), so that the
hall does them once.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from dicehall.client.errors import Refused, Unreachable, refused
from dicehall.client.lines import Dial, Line, LineClosed

VERSION = 1
PASSING = {"store_unavailable", "shutting_down", "rate_limited"}  # asked again later, the same may be granted
Message: TypeAlias = dict[str, Any]
Ask: TypeAlias = Callable[..., Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Patience:
    """How a client waits for a hall that does not answer, in seconds."""

    first: float = 0.1
    most: float = 5.0
    gives_up: float | None = 120.0  # without a line for so long; None: never
    tries: int = 6  # of a request that is refused for now

    def wait(self, tried: int) -> float:
        return min(self.most, self.first * 2.0 ** min(tried, 20)) * random.uniform(0.5, 1.0)


@dataclass(slots=True)
class Pending:
    text: bytes
    answered: asyncio.Future[Any]


@dataclass(slots=True, eq=False)
class Talk:
    dial: Dial
    greet: Callable[[Ask], Awaitable[None]]  # what is said on every new line, before all else
    hear: Callable[[Message], None]  # told of everything that is no answer
    patience: Patience
    pending: dict[int, Pending] = field(default_factory=dict)
    greeting: dict[int, Pending] = field(default_factory=dict)  # what belongs to one line and dies with it
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    line: Line | None = None  # while it can be spoken on
    keeper: asyncio.Task[None] | None = None
    failed: Exception | None = None  # why there will be no more lines
    called_back: float | None = None  # when the hall wants to be called again, in seconds
    ahead_ms: float = 0.0  # how much the hall's clock is ahead of ours

    def start(self) -> None:
        if self.keeper is None:
            self.keeper = asyncio.create_task(self.keep())

    async def close(self) -> None:
        if self.keeper is not None:
            self.keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self.keeper
        self.fail(Unreachable("This client is closed."))

    @property
    def now(self) -> int:
        """The hall's time, in ms, as well as we know it."""
        return int(time.time() * 1000 + self.ahead_ms)

    # -- asking -----------------------------------------------------------------------------------

    async def ask(self, do: str, **what: Any) -> Any:
        """Send a request until it is answered, over as many lines as it takes; raises Refused or Unreachable."""
        for tried in itertools.count(1):
            try:
                return await self.ask_once(do, what)
            except Refused as no:
                if no.code not in PASSING or tried >= self.patience.tries:
                    raise
                await asyncio.sleep(no.more.get("retry_after") or self.patience.wait(tried))

    async def ask_once(self, do: str, what: Message) -> Any:
        if self.failed is not None:
            raise self.failed
        number, pending = self.written(do, what)
        self.pending[number] = pending
        try:
            if self.line is not None:
                await self.send(self.line, pending)
            return await pending.answered
        finally:
            self.pending.pop(number, None)

    def written(self, do: str, what: Message) -> tuple[int, Pending]:
        number = next(self.numbers)
        said = {key: value for key, value in what.items() if value is not None}
        text = msgspec.json.encode({"id": number, "do": do, **said})
        return number, Pending(text, asyncio.get_running_loop().create_future())

    async def send(self, line: Line, pending: Pending) -> None:
        with suppress(LineClosed):  # then it is sent again on the next line
            await line.send(pending.text)

    # -- one line after another ---------------------------------------------------------------------

    async def keep(self) -> None:
        try:
            await self.keep_calling()
        except Exception as broken:  # nobody waits for an answer that cannot come any more
            self.fail(broken)
            raise

    async def keep_calling(self) -> None:
        """Keep a line open for as long as the client has patience."""
        good_at, tried = time.monotonic(), 0
        while True:
            greeted = False
            try:
                greeted = await self.converse(await self.dial())
            except LineClosed as trouble:
                last: Exception = trouble
            except Refused as no:  # a hall that does not speak with us
                return self.fail(no)
            else:
                last = LineClosed("The server closed the connection.")
            if greeted:
                good_at, tried = time.monotonic(), 0
            elif self.patience.gives_up is not None and time.monotonic() - good_at > self.patience.gives_up:
                return self.fail(Unreachable(f"The server is not responding: {last}."))
            await asyncio.sleep(self.called_back or self.patience.wait(tried))
            self.called_back, tried = None, tried + 1

    async def converse(self, line: Line) -> bool:
        """Use one line until it is closed; returns whether it ever worked."""
        reading = asyncio.create_task(self.read(line))
        greeted = False
        try:
            await self.welcome(line)
            greeted = True
            await reading
        except LineClosed:
            if not greeted:
                raise
        finally:
            self.line = None
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await line.close()
        return greeted

    async def welcome(self, line: Line) -> None:
        async def ask(do: str, **what: Any) -> Any:
            number, pending = self.written(do, what)
            self.greeting[number] = pending
            await line.send(pending.text)
            try:
                return await pending.answered
            except Refused as no:
                if no.code in PASSING:
                    raise LineClosed(no.sentence) from no  # another line, later
                raise

        hello = await ask("hello", version=VERSION)
        self.ahead_ms = hello["now"] - time.time() * 1000
        await self.greet(ask)
        self.line = line
        for _, pending in sorted(self.pending.items()):
            await self.send(line, pending)

    async def read(self, line: Line) -> None:
        try:
            while True:
                self.take(msgspec.json.decode(await line.receive()))
        finally:
            for pending in self.greeting.values():
                settle(pending, LineClosed("The server closed the connection."))
            self.greeting.clear()

    def take(self, message: Message) -> None:
        if "re" in message:
            number = message["re"]
            pending = self.pending.get(number) or self.greeting.pop(number, None)
            if pending is not None:
                settle(pending, refused(message["error"]) if "error" in message else message["ok"])
            return
        if "bye" in message:
            self.called_back = message.get("retry_ms", 1000) / 1000
        self.hear(message)

    def fail(self, why: Exception) -> None:
        """Give up: every pending request fails with the reason."""
        self.failed = self.failed or why
        for pending in self.pending.values():
            settle(pending, self.failed)
        self.hear({"ended": self.failed})


def settle(pending: Pending, answer: Any) -> None:
    if pending.answered.done():
        return
    if isinstance(answer, Exception):
        pending.answered.set_exception(answer)
        pending.answered.exception()  # nobody has to wait for it
    else:
        pending.answered.set_result(answer)
