"""A client of several Nostr relays at once: publish, subscribe, and read what they have stored."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random

from dicehall.nostr.events import MAX_TIME, Event
from dicehall.nostr.filters import Filter
from dicehall.nostr.relay import ANSWER_S, Delays, Relay, RelayError, Subscription

log = logging.getLogger("dicehall.nostr")

OTHERS_S = 0.5  # once one relay has taken an event, the others have this long before the caller goes on
PAGE = 500
MAX_PAGES = 1000
MAX_PAGES_BYTES = 128 << 20  # of contents and tags, all pages together
PAGES_S = 120.0  # for all pages together


@dataclass(slots=True, eq=False)
class RelayPool:
    """All relays of one program. Use ``async with pool.running():``."""

    relays: tuple[Relay, ...]
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    late: set[asyncio.Task[None]] = field(default_factory=set)  # publications that nobody waits for any longer

    @classmethod
    def of(cls, urls: Sequence[str], random: Random) -> RelayPool:
        return cls(tuple(Relay(url, Delays(random)) for url in dict.fromkeys(urls)))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[RelayPool]:
        tasks = [asyncio.create_task(relay.run()) for relay in self.relays]
        try:
            yield self
        finally:
            for task in (*tasks, *self.late):
                task.cancel()
            await asyncio.gather(*tasks, *self.late, return_exceptions=True)

    @property
    def connected(self) -> tuple[Relay, ...]:
        return tuple(relay for relay in self.relays if relay.connection is not None)

    async def publish(self, event: Event) -> dict[str, str | None]:
        """Each relay's word: None where it took the event, else why not. RelayError where none took it.

        Where one took it, the others are not waited for much longer: a silent relay must not slow down a match.
        """
        words: dict[str, str | None] = {relay.url: f"{relay.url} has not answered yet." for relay in self.relays}
        tasks = {asyncio.create_task(relay.publish(event)): relay.url for relay in self.relays}
        waiting: set[asyncio.Task[None]] = set(tasks)
        try:
            while waiting:
                patience = OTHERS_S if None in words.values() else None
                done, waiting = await asyncio.wait(waiting, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                words |= {tasks[one]: word_of(one) for one in done}
                if not done:
                    break
        finally:
            for one in waiting:
                self.late.add(one)
                one.add_done_callback(self.forget)
        if None not in words.values():
            raise RelayError("No relay accepted the event. " + " ".join(map(str, words.values())))
        return words

    def forget(self, late: asyncio.Task[None]) -> None:
        self.late.discard(late)
        if not late.cancelled() and (error := late.exception()) is not None:
            log.debug("not published: %s", error)

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
        oldest, further, size = MAX_TIME, 1, 0
        ends = asyncio.get_running_loop().time() + PAGES_S
        for _ in range(MAX_PAGES):
            answer = await self.page(relay, page)
            size += sum(event.size for event in answer if event.id not in found)
            further = 1 if any(event.id not in found for event in answer) else further - 1
            found |= {event.id: event for event in answer}
            if not found or further < -1:
                break
            if size > MAX_PAGES_BYTES or asyncio.get_running_loop().time() > ends:
                log.warning(
                    "relay %s has more events than can be read: only the newest %d count", relay.url, len(found)
                )
                break
            oldest = min(oldest, *(event.created_at for event in answer)) if answer else oldest
            page = replace(page, until=oldest + further)
        return [event for event in found.values() if wanted.matches(event)]

    async def page(self, relay: Relay, wanted: Filter) -> list[Event]:
        async with subscribed((relay,), Subscription(self.new_id(), (wanted,), most=PAGE)) as subscription:
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
    await asyncio.gather(*(relay.try_send(subscription.request()) for relay in relays))
    try:
        yield subscription
    finally:
        for relay in relays:
            relay.subscriptions.pop(subscription.id, None)
        await asyncio.gather(*(relay.try_send(["CLOSE", subscription.id]) for relay in relays))


def word_of(publication: asyncio.Task[None]) -> str | None:
    """None where the relay took the event. What is not a relay's doing is passed on."""
    error = publication.exception()
    if error is not None and not isinstance(error, RelayError):
        raise error
    return None if error is None else str(error)
