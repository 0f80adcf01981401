"""A real relay, a real mint and the bot, on real ports, and players that follow what the referee says."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from nostr_sdk import LocalRelay, LocalRelayBuilder, RateLimit, uniffi_set_event_loop

from dicehall.games.mana.rules import Mana
from dicehall.nostr.events import Event
from dicehall.nostr.filters import Filter
from dicehall.nostr.match_events import GAME, BotEvent
from dicehall.nostr.relay import Delays, Relay
from dicehall.nostr.relay_pool import RelayPool
from dicehall.referee.bot import Bot
from dicehall.referee.entries import Limits
from dicehall.referee.mint_client import MintClient
from dicehall.referee.referee import Referee
from dicehall.referee.store import Store
from tests.mint.minting import LiveMint, live_mint
from tests.referee.people import BOT, Person

WAIT_S = 60


def now_ms() -> int:
    return int(time.time() * 1000)


@asynccontextmanager
async def live_relay() -> AsyncIterator[str]:
    """Stopping it does not end busy connections: a test that needs an outage cuts a TcpProxy before it."""
    uniffi_set_event_loop(asyncio.get_running_loop())
    limit = RateLimit(max_reqs=1000, notes_per_minute=1_000_000)
    relay: LocalRelay = LocalRelayBuilder().rate_limit(limit).build()
    await relay.run()
    try:
        yield str(await relay.url())
    finally:
        relay.shutdown()


def pool_of(*urls: str) -> RelayPool:
    return RelayPool(tuple(Relay(url, Delays(Random(1), 0.01, 0.1)) for url in urls))


def make_bot(mint: LiveMint, store: Path, *urls: str, limits: Limits | None = None) -> Bot:
    referee = Referee(BOT, Store(store), limits=limits or Limits())
    return Bot(referee, pool_of(*urls), MintClient(mint.url, BOT, mint.mint.now_s), now_ms)


@asynccontextmanager
async def running(bot: Bot) -> AsyncIterator[Bot]:
    task = asyncio.create_task(bot.run())
    try:
        yield bot
        assert not task.done(), task.exception()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        bot.referee.store.close()


@dataclass(slots=True, eq=False)
class Watcher:
    """Everything the referee has published, seen through a relay."""

    pool: RelayPool
    events: list[Event] = field(default_factory=list)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def watch(self, heard: asyncio.Queue[Event]) -> None:
        while True:
            event = await heard.get()
            async with self.changed:
                if event.pubkey == BOT.public_hex:
                    self.events.append(event)
                self.changed.notify_all()

    def said(self, name: str, match_id: str = "m1") -> list[Any]:
        found = [BotEvent.decode(one) for one in self.events]
        return [one.content for one in found if one.content.name == name and one.match_id == match_id]

    async def until(self, name: str, count: int = 1, match_id: str = "m1") -> list[Any]:
        async with self.changed:
            await self.changed.wait_for(lambda: len(self.said(name, match_id)) >= count)
        return self.said(name, match_id)


@asynccontextmanager
async def watching(*urls: str, wait_s: float = WAIT_S) -> AsyncIterator[Watcher]:
    async with asyncio.timeout(wait_s), pool_of(*urls).running() as pool:
        for relay in pool.relays:
            await relay.connected.wait()
        watcher = Watcher(pool)
        async with pool.subscribe(Filter(tags={"t": (GAME,)})) as subscription:
            task = asyncio.create_task(watcher.watch(subscription.events))
            try:
                yield watcher
            finally:
                task.cancel()


def people(mint: LiveMint) -> tuple[Person, Person]:
    """Ann and Bea with a token each from the faucet."""
    both = Person.called("Ann"), Person.called("Bea")
    for league, person in enumerate(both):
        token = mint.army(league)
        person.secret, person.C, person.keyset = token.secret, token.signature, str(token.proof["id"])
        person.league = league
    return both


async def play(watcher: Watcher, ann: Person, bea: Person, picks: list[tuple[int, int]], match_id: str = "m1") -> None:
    """A whole match, with every step after the referee's word for it."""
    challenge = ann.challenge(bea, match_id)
    await watcher.pool.publish(challenge)
    await watcher.until("match_announcement", 1, match_id)
    await watcher.pool.publish(bea.accept(challenge, match_id))
    await watcher.until("match_announcement", 2, match_id)
    for number, (mine, theirs) in enumerate(picks, 1):
        await play_round(watcher, ann, bea, (mine, theirs), number, match_id)
        if watcher.said("match_result", match_id):
            return


async def play_round(
    watcher: Watcher, ann: Person, bea: Person, picks: tuple[int, int], number: int, match_id: str = "m1"
) -> None:
    commits = ann.commit(picks[0], number, match_id), bea.commit(picks[1], number, match_id)
    for event in commits:
        await watcher.pool.publish(event)
    await watcher.until("reveal_request", number, match_id)
    await watcher.pool.publish(ann.reveal(picks[0], commits[0], number, match_id))
    await watcher.pool.publish(bea.reveal(picks[1], commits[1], number, match_id))
    await watcher.until("round_result", number, match_id)
    if is_decided(watcher.said("round_result", match_id)):
        await watcher.until("match_result", 1, match_id)


def is_decided(results: list[Any]) -> bool:
    """Whether the lead is larger than the rounds that are left (M6)."""
    mine, theirs, *_ = sorted(Counter(one.winner for one in results if one.winner).values(), reverse=True) + [0, 0]
    left = Mana().rounds - len(results)
    return left == 0 or mine - theirs > left


@contextmanager
def honest_mint(folder: Path) -> Iterator[LiveMint]:
    with live_mint(folder) as mint:
        mint.clock.now_s = int(time.time())
        yield mint
