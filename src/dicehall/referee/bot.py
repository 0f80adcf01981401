"""The referee at work: relays on one side, the mint on the other, and a clock.

One task judges events, one acts on what follows from them; calls to the mint are made in threads. What the referee
decides is written before it is published, and what fails is tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from dicehall.mint.blinding import BadAnswer
from dicehall.nostr.events import Event
from dicehall.nostr.filters import Filter
from dicehall.nostr.keys import InvalidKey, is_public_key, parse_public
from dicehall.nostr.match_events import GAME, PLAYER_EVENTS
from dicehall.nostr.relay import Relay, RelayError, Subscription
from dicehall.nostr.relay_pool import RelayPool
from dicehall.referee.mint_client import MintAway, MintClient
from dicehall.referee.referee import Referee
from dicehall.referee.store import Loot, Outgoing
from dicehall.referee.token_queue import Question, TokenAnswer

log = logging.getLogger("dicehall.referee")

BATCH = 500  # events that are judged before the others have their turn
AGAIN_MS = 2 * 3_600_000  # what a relay that comes back is told again
SKEW_S = 3600  # players' clocks may be wrong by so much
LONGEST_WAIT_S = 1.0
JUMP_MS = 15_000  # a clock that moves by more between two looks was set, or the machine slept: nobody could reach us
MINT_CALLS = 4  # at once
PUBLICATIONS = 50  # at once
HEALTH_S = 10.0
NUTZAPS = 10019  # NIP-61: the key to which somebody wants tokens to be locked
ORDER = {kind.name: number for number, kind in enumerate(PLAYER_EVENTS)}

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Bot:
    referee: Referee
    pool: RelayPool
    mint: MintClient
    now_ms: Callable[[], int]
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    group: asyncio.TaskGroup | None = None
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(MINT_CALLS, "mint"))
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(PUBLICATIONS))
    catching_up: set[str] = field(default_factory=set)  # relays whose stored events are being read
    read_until_ms: dict[str, int] = field(default_factory=dict)  # by relay: until when we have read all it had
    reached_ms: int = 0  # when players could last reach us
    away_since_ms: int | None = None  # since then they could not, or what they sent has not been judged yet
    mint_error: str | None = None
    since_s: int = 0
    judged: int = 0  # events

    async def run(self) -> None:
        """Until cancelled, or until the store fails."""
        now_ms = self.now_ms()
        alive_ms = self.referee.store.note("alive")
        start_ms = now_ms - self.referee.limits.match_ms if alive_ms is None else alive_ms
        self.since_s = start_ms // 1000 - (0 if alive_ms is None else SKEW_S)
        self.referee.resume(now_ms)
        self.reached_ms = self.away_since_ms = now_ms
        try:
            async with self.pool.running():
                if self.referee.store.note("adopted") is None:
                    await self.adopt()
                async with self.pool.subscribe(self.wanted()) as subscription, asyncio.TaskGroup() as self.group:
                    self.watch_relays(subscription)
                    for work in (self.judge(subscription), self.act(), self.watch_mint()):
                        self.spawn(work)
        finally:
            self.threads.shutdown(cancel_futures=True)

    def wanted(self) -> Filter:
        return Filter(kinds=(self.referee.kind,), tags={"t": (GAME,)}, since=self.since_s)

    def missed_since_s(self, relay: Relay) -> int:
        """From when on a relay may have something new; not from the start of a bot that runs for days."""
        return max(self.since_s, self.read_until_ms.get(relay.url, 0) // 1000 - SKEW_S)

    # -- relays --------------------------------------------------------------------------------------------

    async def adopt(self) -> None:
        """A new store, but perhaps not a new referee: what the relays have of ours is not said again."""
        waits = [asyncio.create_task(relay.connected.wait()) for relay in self.pool.relays]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        own = Filter(kinds=(self.referee.kind,), authors=(self.referee.key.public_hex,), tags={"t": (GAME,)})
        for event in await self.pool.query(own):
            self.referee.adopt(event)
        self.referee.store.put_note("adopted", 1)
        self.referee.commit()

    def watch_relays(self, subscription: Subscription) -> None:
        def connected(relay: Relay) -> None:
            if self.pool.connected == (relay,):
                self.leave()
            self.catching_up.add(relay.url)
            self.referee.outbox.attempts.hurry()
            self.spawn(self.catch_up(relay, subscription))

        for relay in self.pool.relays:
            relay.on_connect = connected
            if relay.connection is not None:
                connected(relay)

    async def catch_up(self, relay: Relay, subscription: Subscription) -> None:
        """What came while we were away, and what the relay has not of ours."""
        try:
            events = await self.pool.pages(relay, replace(self.wanted(), since=self.missed_since_s(relay)))
            for event in sorted(events, key=in_order):
                await subscription.deliver(event)
            last = self.judged + subscription.events.qsize()
            while self.judged < last:  # before a deadline is; not what comes after them, which may never end
                await asyncio.sleep(0.01)
            log.info("relay %s is connected and had %d events", relay.url, len(events))
        finally:
            self.catching_up.discard(relay.url)
            self.wake.set()
        await self.tell_again(relay, {event.id for event in events})

    async def tell_again(self, relay: Relay, known: set[str]) -> None:
        for outgoing in self.referee.store.said_since(self.now_ms() - AGAIN_MS):
            if outgoing.published and outgoing.event.id not in known:
                try:
                    await relay.publish(outgoing.event)
                except RelayError as error:
                    log.info("not told again: %s", error)
                    return

    # -- judging -------------------------------------------------------------------------------------------

    async def judge(self, subscription: Subscription) -> None:
        events = subscription.events
        while True:
            self.take(await events.get())
            for _ in range(min(events.qsize(), BATCH)):
                self.take(events.get_nowait())
            self.wake.set()
            await asyncio.sleep(0)

    def take(self, event: Event) -> None:
        self.referee.receive(event, self.time_ms())
        self.judged += 1

    async def act(self) -> None:
        """Write what was decided, then do what follows from it."""
        while True:
            now_ms = self.now_ms()
            self.keep_time(now_ms)
            self.referee.commit()
            for outgoing in self.referee.outbox.publications(now_ms):
                self.spawn(self.publish(outgoing))
            for question in self.referee.tokens.questions(now_ms):
                self.spawn(self.ask(question))
            for loot in self.referee.rewards.payments(now_ms):
                self.spawn(self.pay(loot))
            await self.sleep(now_ms)

    def keep_time(self, now_ms: int) -> None:
        """Deadlines rest while no player can reach us, and while what they sent meanwhile is being read."""
        self.look_at_clock(now_ms)
        if all(relay.url in self.catching_up for relay in self.pool.connected):  # or none is connected
            self.leave()
            return
        if self.away_since_ms is not None:
            self.referee.pause(now_ms - self.away_since_ms)
            self.away_since_ms = None
        self.reached_ms = now_ms
        read = [relay.url for relay in self.pool.connected if relay.url not in self.catching_up]
        self.read_until_ms |= dict.fromkeys(read, now_ms)
        self.referee.check_deadlines(now_ms)
        self.referee.alive(now_ms)

    def look_at_clock(self, now_ms: int) -> None:
        """A clock that was set, forwards or back, or a machine that slept costs the players nothing."""
        if self.away_since_ms is None and abs(now_ms - self.reached_ms) > JUMP_MS:
            log.warning("the clock moved by %d seconds; deadlines move with it", (now_ms - self.reached_ms) // 1000)
            self.leave()
            for attempts in self.referee.attempts:
                attempts.hurry()

    def leave(self) -> None:
        """Nobody can reach us, since the last time that somebody could."""
        if self.away_since_ms is None:
            self.away_since_ms = self.reached_ms

    def time_ms(self) -> int:
        """The time that events are judged by: it stands still while deadlines rest."""
        now_ms = self.now_ms()
        self.look_at_clock(now_ms)
        return now_ms if self.away_since_ms is None else self.away_since_ms

    async def sleep(self, now_ms: int) -> None:
        referee = self.referee
        times = [one.next_ms() for one in referee.attempts]
        next_ms = min((one for one in (*times, referee.next_deadline_ms()) if one is not None), default=now_ms + 60_000)
        try:
            async with asyncio.timeout(min(LONGEST_WAIT_S, max(0.005, (next_ms - now_ms) / 1000))):
                await self.wake.wait()
        except TimeoutError:
            pass
        self.wake.clear()

    # -- what follows --------------------------------------------------------------------------------------

    async def publish(self, outgoing: Outgoing) -> None:
        try:
            async with self.room:
                await self.pool.publish(outgoing.event)
        except RelayError as error:
            self.referee.outbox.not_published(outgoing, str(error), self.now_ms())
        else:
            self.referee.published(outgoing, self.now_ms())
        self.wake.set()

    async def ask(self, question: Question) -> None:
        try:
            answers = await self.in_thread(lambda: self.ask_all(question))
        except (MintAway, BadAnswer) as error:
            self.mint_failed(error)
            self.referee.tokens.not_answered(question, str(error), self.now_ms())
        else:
            self.referee.answered(question, answers, self.time_ms())
        self.wake.set()

    def ask_all(self, question: Question) -> list[TokenAnswer]:
        check = self.mint.bind if question.bind else self.mint.verify
        return [check(one, question.match_id) for one in question.proofs]

    async def pay(self, loot: Loot) -> None:
        try:
            if loot.request is None:
                lock_to = await self.key_for_loot(loot.winner)
                prepared = await self.in_thread(lambda: self.mint.prepare(loot, lock_to))
                loot = self.referee.rewards.prepared(loot, *prepared)
                self.referee.commit()  # before the mint is asked: a second try must send the same
            ready = loot
            token = await self.in_thread(lambda: self.mint.pay(ready))
        except (MintAway, BadAnswer) as error:
            self.mint_failed(error)
            self.referee.rewards.not_paid(loot.match_id, str(error), self.now_ms())
        else:
            self.referee.paid_out(loot.match_id, token, self.now_ms())
            log.info("match %s: %d loot for its winner", loot.match_id, loot.amount)
        self.wake.set()

    async def key_for_loot(self, winner: str) -> str:
        """The winner's own key, or the one they published for tokens (NIP-61)."""
        found = await self.pool.query(Filter(kinds=(NUTZAPS,), authors=(winner,)))
        try:
            named = parse_public(found[-1].tag("pubkey") or "") if found else winner
        except InvalidKey:
            return winner
        return named if is_public_key(named) else winner  # nobody could spend what is locked to no key

    async def watch_mint(self) -> None:
        while True:
            try:
                await self.in_thread(self.mint.health)
            except MintAway as error:
                self.mint_failed(error)
            else:
                if self.mint_error is not None:
                    log.info("the mint is back")
                    self.referee.tokens.attempts.hurry()
                    self.referee.rewards.attempts.hurry()
                    self.wake.set()
                self.mint_error = None
            await asyncio.sleep(HEALTH_S if self.mint_error is None else 1.0)

    def mint_failed(self, error: Exception) -> None:
        if self.mint_error is None:
            log.warning("the mint cannot be reached: %s", error)
        self.mint_error = str(error)

    async def in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.threads, work)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """An error that nobody expected stops the whole bot: it starts again from what is on the disk."""
        if self.group is not None:
            self.group.create_task(work)


def in_order(event: Event) -> tuple[int, int, str]:
    """By time, and within a second in the order of a match."""
    kinds = [number for name, number in ORDER.items() if event.tag(name) is not None]
    return event.created_at, min(kinds, default=len(ORDER)), event.id
