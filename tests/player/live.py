"""Players of a real match: a real relay, the real mint, the real referee, each player with files of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from dicehall.mint.blinding import new_blinding
from dicehall.mint.keysets import MANA
from dicehall.mint.messages import Proof, Quote
from dicehall.mint.wallet import Wallet
from dicehall.nostr.events import Event
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.relay import Relay
from dicehall.nostr.relay_pool import RelayPool
from dicehall.player.narration import Note
from dicehall.player.open_challenges import OpenChallenges, wait_for_challenge
from dicehall.player.session import Outcome, Session
from dicehall.player.store import PlayerStore, StoredMatch
from dicehall.player.strategy import Chooser, bot_chooser
from dicehall.player.tokens import Purse
from tests.referee.live import pool_of
from tests.referee.people import BOT

MATCH_ID = "live-1"


class Killed(BaseException):
    """The player's process is gone. Not an Exception, so that nothing catches it."""


@dataclass(slots=True)
class Life:
    """So many effects happen, then the process is gone: before the next one, or right after it."""

    effects: int
    after: bool
    done: int = 0

    def cut(self, pool: RelayPool, purse: Purse, store: PlayerStore) -> tuple[RelayPool, Purse]:
        """Every write, every publication and the redemption of the loot is an effect."""
        for name in ("pick", "keep_sent", "redeemed", "ended"):
            setattr(store, name, self.counted(getattr(store, name)))
        return MortalPool(pool.relays, self), MortalPurse(purse.wallet, purse.key, self)

    def counted(self, work: Callable[..., None]) -> Callable[..., None]:
        def call(*given: Any) -> None:
            self.begin()
            work(*given)
            self.end()

        return call

    def begin(self) -> None:
        self.done += 1
        if not self.after and self.done > self.effects:
            raise Killed

    def end(self) -> None:
        if self.after and self.done >= self.effects:
            raise Killed


class MortalPool(RelayPool):
    def __init__(self, relays: tuple[Relay, ...], life: Life) -> None:
        super().__init__(relays)
        self.life = life

    async def publish(self, event: Event) -> dict[str, str | None]:
        self.life.begin()
        words = await super().publish(event)
        self.life.end()
        return words


class MortalPurse(Purse):
    def __init__(self, wallet: Wallet, key: SecretKey, life: Life) -> None:
        super().__init__(wallet, key)
        self.life = life

    async def redeem(self, text: str) -> int:
        self.life.begin()
        amount = await super().redeem(text)
        self.life.end()
        return amount


@dataclass(slots=True, eq=False)
class LivePlayer:
    """What survives a process: the key and the files."""

    name: str
    folder: Path
    relay: str
    mint: str
    level: str = "greedy"
    key: SecretKey = field(default_factory=SecretKey.generate)
    notes: list[Note] = field(default_factory=list)

    @property
    def said(self) -> str:
        return "\n".join(note.sentence for note in self.notes)

    def told(self, event: str) -> list[Note]:
        return [note for note in self.notes if note.event == event]

    @asynccontextmanager
    async def session(
        self, match: StoredMatch | None = None, choose: Chooser | None = None, life: Life | None = None
    ) -> AsyncIterator[Session]:
        """A process of this player, for a new match or for the one in its store."""
        store = PlayerStore(self.folder / f"{self.name}.db")
        wallet = Wallet(self.folder / f"{self.name}-wallet.db", self.mint, any_thread=True)
        try:
            if match is not None:
                store.add(match)
            found = store.find(MATCH_ID if match is None else match.match_id)
            assert found is not None
            chooser = choose or bot_chooser(self.level, Random(self.name))
            async with pool_of(self.relay).running() as pool:
                await pool.relays[0].connected.wait()
                purse = Purse(wallet, self.key)
                if life is not None:
                    pool, purse = life.cut(pool, purse, store)
                yield Session(self.key, pool, store, purse, found, chooser, self.notes.append, now_s)
        finally:
            wallet.close()
            store.close()

    async def challenge(self, other: LivePlayer, choose: Chooser | None = None) -> Outcome:
        match = await self.new_match(0, other.key.public_hex)
        async with self.session(match, choose) as session:
            return await session.play()

    async def accept(self, choose: Chooser | None = None) -> Outcome:
        async with self.session(await self.challenged(), choose) as session:
            return await session.play()

    async def resume(self, choose: Chooser | None = None, life: Life | None = None) -> Outcome:
        async with self.session(choose=choose, life=life) as session:
            await session.purse.recover()
            return await session.play()

    async def challenged(self) -> StoredMatch:
        async with pool_of(self.relay).running() as pool:
            await pool.relays[0].connected.wait()
            found = await wait_for_challenge(pool, OpenChallenges(self.key.public_hex, BOT.public_hex), now_s())
        return await self.new_match(1, found.challenger, found.challenge_id, found.match_id)

    async def new_match(
        self, seat: int, opponent: str, challenge_id: str | None = None, match_id: str = MATCH_ID
    ) -> StoredMatch:
        wallet = Wallet(self.folder / f"{self.name}-wallet.db", self.mint, any_thread=True)
        try:
            token = await asyncio.to_thread(self.army, wallet)
        finally:
            wallet.close()
        return StoredMatch(match_id, BOT.public_hex, seat, opponent, self.mint, token, challenge_id, now_s())

    def army(self, wallet: Wallet) -> Proof:
        """Always the same one from a test's mint: one match in three hundred is a draw, and none of these should be."""
        keys = wallet.keys_of(MANA, len(self.name))
        quote = wallet.ask("/v1/mint/quote/faucet", {"amount": 1, "unit": MANA}, Quote)
        blinding = new_blinding(1, keys.id, sha256(self.name.encode()).hexdigest())
        body = {"quote": quote.quote, "outputs": [blinding.message()]}
        return wallet.request(MANA, "/v1/mint/faucet", body, [blinding])[0]

    def balance(self) -> int:
        wallet = Wallet(self.folder / f"{self.name}-wallet.db", self.mint)
        try:
            return wallet.balance("loot")
        finally:
            wallet.close()


def now_s() -> int:
    return int(time.time())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


async def cancelled(task: asyncio.Task[Outcome]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
