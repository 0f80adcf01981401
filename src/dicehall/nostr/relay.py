"""One Nostr relay: a connection that comes back after a failure, with exponential back-off and jitter.

Events are checked (shape, signature, filter) and reach a subscription once, whichever relay sends them first.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidURI, WebSocketException

from dicehall.nostr.events import MAX_EVENT_BYTES, Event, InvalidEvent, convert_event
from dicehall.nostr.filters import Filter

log = logging.getLogger("dicehall.nostr")

FIRST_DELAY_S, LONGEST_DELAY_S = 1.0, 300.0
OPEN_S = 10.0
CLOSE_S = 1.0  # for the relay's goodbye; some do not answer one that comes right after the first request
ANSWER_S = 10.0
SEEN_EVENTS = 100_000  # ids remembered for de-duplication; the oldest go first
MAX_MESSAGE_BYTES = 1 << 20  # a larger message ends the connection, so this is well above what relays store
MAX_EVENT_MESSAGE_BYTES = MAX_EVENT_BYTES + 1024  # a larger message is not read
MAX_LOGGED = 300  # characters of what a relay says
MAX_DOUBLINGS = 30
WAITING_EVENTS = 10_000  # of a subscriber that is slow; then relays are read more slowly


class RelayError(Exception):
    """A relay that could not be reached, did not answer, or refused an event."""


@dataclass(frozen=True, slots=True)
class Delays:
    """Exponential back-off with full jitter: many clients of one relay do not come back at once."""

    random: Random
    first_s: float = FIRST_DELAY_S
    longest_s: float = LONGEST_DELAY_S

    def after(self, failures: int) -> float:
        doubled = self.first_s * 2 ** min(failures, MAX_DOUBLINGS)  # more would not fit into a float one day
        return self.random.uniform(self.first_s / 2, min(self.longest_s, doubled))


@dataclass(slots=True, eq=False)
class Subscription:
    """What one caller asked for: live events, each once, from all relays; or only what one relay has stored."""

    id: str
    filters: tuple[Filter, ...]
    events: asyncio.Queue[Event] = field(default_factory=lambda: asyncio.Queue(WAITING_EVENTS))
    seen: OrderedDict[str, None] = field(default_factory=OrderedDict)
    complete: asyncio.Event = field(default_factory=asyncio.Event)  # a relay has sent all it had stored
    most: int | None = None  # events, of one page; without it the subscription stays open

    async def deliver(self, event: Event) -> None:
        if self.most is not None and self.complete.is_set():
            return  # it came just now, and says nothing about how far back the stored events go
        if event.id in self.seen or not any(one.matches(event) for one in self.filters):
            return
        if self.most is not None and len(self.seen) >= self.most:
            return
        self.seen[event.id] = None
        if len(self.seen) > SEEN_EVENTS:
            self.seen.popitem(last=False)
        await self.events.put(event)

    def request(self) -> list[Any]:
        return ["REQ", self.id, *(one.to_json() for one in self.filters)]


@dataclass(slots=True, eq=False)
class Relay:
    """One relay: its connection, what is subscribed there, what waits for its word."""

    url: str
    delays: Delays
    subscriptions: dict[str, Subscription] = field(default_factory=dict)
    published: dict[str, asyncio.Future[str | None]] = field(default_factory=dict)
    connection: ClientConnection | None = None
    connected: asyncio.Event = field(default_factory=asyncio.Event)
    failures: int = 0
    last_error: str | None = None
    rejected: int = 0  # events of it that were malformed, forged or not asked for
    on_connect: Callable[[Relay], None] | None = None  # called after every connection, the first one too

    async def run(self) -> None:
        """Stay connected until cancelled."""
        while True:
            try:
                await self.converse()
            except Exception as error:  # whatever a relay does, it is asked again
                self.last_error = printable(str(error) or type(error).__name__)
                if isinstance(error, InvalidURI) and error.uri == self.url:  # not one that it redirects to
                    log.error("%s is not the address of a relay", self.url)
                    return
            self.disconnected()
            delay = self.delays.after(self.failures)
            self.failures += 1
            log.info("relay %s cannot be reached (%s), next try in %.1f s", self.url, self.last_error, delay)
            await asyncio.sleep(delay)

    async def converse(self) -> None:
        async with connect(
            self.url, open_timeout=OPEN_S, close_timeout=CLOSE_S, max_size=MAX_MESSAGE_BYTES
        ) as connection:
            self.connection, self.last_error = connection, None
            for subscription in tuple(self.subscriptions.values()):
                await self.send(subscription.request())
            self.connected.set()
            if self.on_connect is not None:
                self.on_connect(self)
            async for message in connection:
                await self.receive(message)

    def disconnected(self) -> None:
        self.connection = None
        self.connected.clear()
        for waiting in self.published.values():
            if not waiting.done():
                waiting.set_exception(RelayError(f"{self.url} is not connected."))
        self.published.clear()

    async def send(self, message: list[Any]) -> None:
        if self.connection is None:
            raise RelayError(f"{self.url} is not connected.")
        try:
            async with asyncio.timeout(ANSWER_S):  # a relay that does not read
                await self.connection.send(msgspec.json.encode(message).decode())
        except (TimeoutError, WebSocketException) as error:
            raise RelayError(f"{self.url} is not connected: {printable(str(error))}") from None

    async def try_send(self, message: list[Any]) -> None:
        """Send where the relay is there; one that is away hears of its subscriptions when it comes back."""
        try:
            await self.send(message)
        except RelayError as error:
            log.debug("not sent: %s", error)

    async def receive(self, message: str | bytes) -> None:
        """One message of the relay; whatever is wrong with it costs only itself."""
        if len(message) > MAX_EVENT_MESSAGE_BYTES:
            self.rejected += 1
            return
        try:
            value = msgspec.json.decode(message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.rejected += 1
            return
        match value:
            case ["EVENT", str(name), event] if name in self.subscriptions:
                await self.take(self.subscriptions[name], event)
            case ["OK", str(id), bool(accepted), *reason] if id in self.published:
                self.failures = 0
                if not self.published[id].done():
                    self.published[id].set_result(None if accepted else spoken(reason) or "refused")
            case ["EOSE", str(name)] if name in self.subscriptions:
                self.failures = 0
                self.subscriptions[name].complete.set()
            case ["CLOSED", str(name), *reason] if name in self.subscriptions:
                await self.closed(self.subscriptions[name], spoken(reason))
            case ["NOTICE", *words]:
                log.info("relay %s: %s", self.url, spoken(words))
            case _:
                self.rejected += 1

    async def closed(self, subscription: Subscription, reason: str) -> None:
        """Without its subscription a relay would be connected and silent: it counts as away, and is asked again."""
        log.warning("relay %s closed a subscription: %s", self.url, reason)
        subscription.complete.set()
        if subscription.most is None and self.connection is not None:
            self.last_error = f"it closed the subscription: {reason}"
            await self.connection.close()

    async def take(self, subscription: Subscription, value: Any) -> None:
        id = value.get("id") if isinstance(value, dict) else None
        if isinstance(id, str) and id in subscription.seen:  # another relay was first; the signature was checked then
            return
        try:
            event = convert_event(value)
        except InvalidEvent:
            self.rejected += 1
            return
        self.failures = 0
        await subscription.deliver(event)

    async def publish(self, event: Event) -> None:
        """RelayError unless the relay says that it took the event."""
        answer = self.published.setdefault(event.id, asyncio.get_running_loop().create_future())
        try:
            await self.send(["EVENT", event])
            async with asyncio.timeout(ANSWER_S):
                await asyncio.wait({answer})  # others may wait for the same
        except TimeoutError:
            raise RelayError(f"{self.url} did not answer.") from None
        finally:
            if self.published.get(event.id) is answer:
                del self.published[event.id]
            if answer.done():
                answer.exception()  # noticed, also where sending failed first
        reason = answer.result()
        if reason is not None and not reason.startswith("duplicate"):
            raise RelayError(f"{self.url} refused the event: {reason}")


def spoken(words: Sequence[Any]) -> str:
    """What a relay says beside its answer, for a log or a terminal."""
    return printable(" ".join(map(str, words)))


def printable(text: str) -> str:
    """Somebody else's words, without what a terminal would take as a command."""
    return "".join(one if one.isprintable() else "?" for one in text[:MAX_LOGGED])
