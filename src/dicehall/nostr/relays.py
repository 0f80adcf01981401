"""A client of several Nostr relays at once.

Each relay has a connection of its own that comes back after a failure, with exponential back-off and jitter, and
subscribes again. Events are checked (shape, signature, filter) and handed on once, whichever relay sends them first.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidURI, WebSocketException

from dicehall.nostr.events import MAX_EVENT_BYTES, MAX_TIME, Event, InvalidEvent, convert_event
from dicehall.nostr.filters import Filter

log = logging.getLogger("dicehall.nostr")

FIRST_DELAY_S, LONGEST_DELAY_S = 1.0, 300.0
OPEN_S = 10.0
CLOSE_S = 1.0  # for the relay's goodbye; some do not answer one that comes right after the first request
ANSWER_S = 10.0
SEEN_EVENTS = 100_000  # ids remembered for de-duplication; the oldest go first
PAGE = 500
MAX_PAGES = 1000
MAX_MESSAGE_BYTES = 2 * MAX_EVENT_BYTES
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
        return self.random.uniform(self.first_s / 2, min(self.longest_s, self.first_s * 2**failures))


@dataclass(slots=True, eq=False)
class Subscription:
    """What one caller asked for: live events, each once, from all relays."""

    id: str
    filters: tuple[Filter, ...]
    events: asyncio.Queue[Event] = field(default_factory=lambda: asyncio.Queue(WAITING_EVENTS))
    seen: OrderedDict[str, None] = field(default_factory=OrderedDict)
    complete: asyncio.Event = field(default_factory=asyncio.Event)  # a relay has sent all it had stored

    async def deliver(self, event: Event) -> None:
        if event.id in self.seen or not any(one.matches(event) for one in self.filters):
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
            except InvalidURI as error:
                self.last_error = str(error)
                log.error("%s is not the address of a relay", self.url)
                return
            except (OSError, TimeoutError, WebSocketException) as error:
                self.last_error = str(error) or type(error).__name__
            self.disconnected()
            delay = self.delays.after(self.failures)
            self.failures += 1
            log.info("relay %s is away (%s), next try in %.1f s", self.url, self.last_error, delay)
            await asyncio.sleep(delay)

    async def converse(self) -> None:
        async with connect(
            self.url, open_timeout=OPEN_S, close_timeout=CLOSE_S, max_size=MAX_MESSAGE_BYTES
        ) as connection:
            self.connection = connection
            for subscription in tuple(self.subscriptions.values()):
                await self.send(subscription.request())
            self.failures, self.last_error = 0, None
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
                waiting.set_exception(RelayError(f"{self.url} is away."))
        self.published.clear()

    async def send(self, message: list[Any]) -> None:
        if self.connection is None:
            raise RelayError(f"{self.url} is away.")
        try:
            await self.connection.send(msgspec.json.encode(message).decode())
        except WebSocketException as error:
            raise RelayError(f"{self.url} is away: {error}") from None

    async def try_send(self, message: list[Any]) -> None:
        """Send where the relay is there; one that is away hears of its subscriptions when it comes back."""
        try:
            await self.send(message)
        except RelayError as error:
            log.debug("not sent: %s", error)

    async def receive(self, message: str | bytes) -> None:
        """One message of the relay; whatever is wrong with it costs only itself."""
        try:
            value = msgspec.json.decode(message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.rejected += 1
            return
        match value:
            case ["EVENT", str(name), event] if name in self.subscriptions:
                await self.take(self.subscriptions[name], event)
            case ["OK", str(id), bool(accepted), str(reason)] if id in self.published:
                if not self.published[id].done():
                    self.published[id].set_result(None if accepted else reason or "refused")
            case ["EOSE", str(name)] if name in self.subscriptions:
                self.subscriptions[name].complete.set()
            case ["CLOSED", str(name), *reason] if name in self.subscriptions:
                log.warning("relay %s closed a subscription: %s", self.url, " ".join(map(str, reason)))
                self.subscriptions[name].complete.set()
            case ["NOTICE", *_]:
                log.info("relay %s: %s", self.url, value[1:])
            case _:
                self.rejected += 1

    async def take(self, subscription: Subscription, value: Any) -> None:
        id = value.get("id") if isinstance(value, dict) else None
        if isinstance(id, str) and id in subscription.seen:  # another relay was first; the signature was checked then
            return
        try:
            event = convert_event(value)
        except InvalidEvent:
            self.rejected += 1
            return
        await subscription.deliver(event)

    async def publish(self, event: Event) -> None:
        """RelayError unless the relay says that it took the event."""
        answer = self.published.setdefault(event.id, asyncio.get_running_loop().create_future())
        try:
            await self.send(["EVENT", event])
            async with asyncio.timeout(ANSWER_S):
                reason = await asyncio.shield(answer)
        except TimeoutError:
            raise RelayError(f"{self.url} did not answer.") from None
        finally:
            self.published.pop(event.id, None)
            answer.cancel()
        if reason is not None and not reason.startswith("duplicate"):
            raise RelayError(f"{self.url} refused the event: {reason}")


@dataclass(slots=True, eq=False)
class RelayPool:
    """All relays of one program. Use ``async with pool.running():``."""

    relays: tuple[Relay, ...]
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @classmethod
    def of(cls, urls: Sequence[str], random: Random) -> RelayPool:
        return cls(tuple(Relay(url, Delays(random)) for url in dict.fromkeys(urls)))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[RelayPool]:
        tasks = [asyncio.create_task(relay.run()) for relay in self.relays]
        try:
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def connected(self) -> tuple[Relay, ...]:
        return tuple(relay for relay in self.relays if relay.connection is not None)

    async def publish(self, event: Event) -> dict[str, str | None]:
        """Each relay's word: None where it took the event, else why not. RelayError where none took it."""
        answers = await asyncio.gather(*(relay.publish(event) for relay in self.relays), return_exceptions=True)
        words: dict[str, str | None] = {}
        for relay, answer in zip(self.relays, answers, strict=True):
            if isinstance(answer, BaseException) and not isinstance(answer, RelayError):
                raise answer
            words[relay.url] = None if answer is None else str(answer)
        if all(word is not None for word in words.values()):
            raise RelayError("No relay took the event. " + " ".join(str(word) for word in words.values()))
        return words

    @asynccontextmanager
    async def subscribe(self, *filters: Filter) -> AsyncIterator[Subscription]:
        """Events from now until the block ends; a relay that comes back is asked again."""
        async with subscribed(self.relays, Subscription(self.new_id(), filters)) as subscription:
            yield subscription

    def new_id(self) -> str:
        return f"dicehall-{next(self.numbers)}"

    async def query(self, wanted: Filter) -> list[Event]:
        """All stored events of all connected relays that match, oldest first."""
        answers = await asyncio.gather(*(self.pages(relay, wanted) for relay in self.connected))
        found = {event.id: event for answer in answers for event in answer}
        return sorted(found.values(), key=lambda event: (event.created_at, event.id))

    async def pages(self, relay: Relay, wanted: Filter) -> list[Event]:
        """What one relay has. Relays cap their answers, so older pages are asked for until nothing new comes.

        The events of one second may be spread over two pages, so the oldest second is asked for again: with the second
        after it, because some relays take ``until`` as exclusive. Where all of that is known, the next page is older.
        """
        found: dict[str, Event] = {}
        page = replace(wanted, limit=PAGE, until=None if wanted.until is None else wanted.until + 1)
        oldest, further = MAX_TIME, 1
        for _ in range(MAX_PAGES):
            answer = await self.page(relay, page)
            further = 1 if any(event.id not in found for event in answer) else further - 1
            found |= {event.id: event for event in answer}
            if not found or further < -1:
                break
            oldest = min(oldest, *(event.created_at for event in answer)) if answer else oldest
            page = replace(page, until=oldest + further)
        return [event for event in found.values() if wanted.matches(event)]

    async def page(self, relay: Relay, wanted: Filter) -> list[Event]:
        async with subscribed((relay,), Subscription(self.new_id(), (wanted,))) as subscription:
            try:
                async with asyncio.timeout(ANSWER_S):
                    await subscription.complete.wait()
            except TimeoutError:
                log.warning("relay %s did not finish its answer", relay.url)
            return [subscription.events.get_nowait() for _ in range(subscription.events.qsize())]


@asynccontextmanager
async def subscribed(relays: Sequence[Relay], subscription: Subscription) -> AsyncIterator[Subscription]:
    for relay in relays:
        relay.subscriptions[subscription.id] = subscription
        await relay.try_send(subscription.request())
    try:
        yield subscription
    finally:
        for relay in relays:
            relay.subscriptions.pop(subscription.id, None)
            await relay.try_send(["CLOSE", subscription.id])
