"""The part `mana` of a campaign: matches over Nostr while the referee, the mint and the relay are killed with kill -9.

Pairs of players play match after match and resume whatever was cut off. All of them are honest and quick, so every
match must be played to its end; every winner must have redeemed the loot once, and nothing may have been said twice.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dicehall.mint.keysets import LOOT as LOOT_UNIT
from dicehall.mint.messages import Proof
from dicehall.mint.wallet import Wallet, WalletError
from dicehall.nostr.events import Event
from dicehall.nostr.filters import Filter
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import GAME, BotEvent, Challenge
from dicehall.nostr.relay import Delays, Relay
from dicehall.nostr.relay_pool import RelayPool
from dicehall.player.narration import Note
from dicehall.player.session import Outcome, Session
from dicehall.player.store import PlayerStore, StoredMatch
from dicehall.player.strategy import Position
from dicehall.player.tokens import Purse
from dicehall.referee.outbox import key_of
from tools.campaign_known import Fault
from tools.campaign_services import BUGS, LOOT, Services, make_services

PAIRS = 8
SHORTEST_S, LONGEST_S = 0.3, 6.0  # between two kills
DOWN_S = 1.5  # at most, before what was killed is started again
MATCH_S = 180.0  # in which a match ends once nothing is killed any more
AGAIN_S = 0.3
PLAYED = PAIRS  # statements of the referee that the players hear between two kills, however slow the machine is

__all__ = ["BUGS", "ManaCampaign"]


@dataclass(slots=True, eq=False)
class Player:
    """Somebody with a key, a wallet and a store, who begins a session again whenever it breaks off."""

    name: str
    services: Services
    pool: RelayPool
    folder: Path
    chance: Random
    key: SecretKey = field(default_factory=SecretKey.generate)
    store: PlayerStore = field(init=False)
    purse: Purse = field(init=False)

    def __post_init__(self) -> None:
        self.store = PlayerStore(self.folder / f"{self.name}.db")
        wallet = Wallet(self.folder / f"{self.name}-wallet.db", self.services.mint_url, any_thread=True)
        self.purse = Purse(wallet, self.key)

    async def army(self) -> Proof:
        while True:
            with suppress(WalletError):
                await self.purse.recover()
                found = await self.purse.find_army(self.store.tokens_in_use())
                return found or await self.purse.from_faucet()
            await asyncio.sleep(AGAIN_S)

    async def choose(self, position: Position) -> int | None:
        await asyncio.sleep(self.chance.uniform(0, 0.3))
        return self.chance.randrange(8)

    async def play(self, match_id: str, seat: int, opponent: str, challenge_id: str | None) -> Outcome:
        token = await self.army()
        referee, now_s = self.services.referee.public_hex, int(time.time())
        self.store.add(
            StoredMatch(match_id, referee, seat, opponent, self.purse.wallet.mint, token, challenge_id, now_s)
        )
        while True:
            match = self.store.find(match_id)
            assert match is not None
            session = Session(
                self.key, self.pool, self.store, self.purse, match, self.choose, ignore, lambda: int(time.time())
            )
            with suppress(WalletError):
                return await session.play()
            await asyncio.sleep(AGAIN_S)

    def close(self) -> None:
        self.store.close()
        self.purse.wallet.close()


def ignore(note: Note) -> None:
    pass


@dataclass(slots=True, eq=False)
class Pair:
    """Two players who play one match after the other."""

    players: tuple[Player, Player]
    outcomes: dict[str, tuple[Outcome, Outcome]] = field(default_factory=dict)
    current: str | None = None

    async def keep_playing(self, stopping: asyncio.Event) -> None:
        number = 0
        while not stopping.is_set():
            self.current = f"{self.players[0].name}-{number}"
            self.outcomes[self.current] = await self.play(self.current)
            self.current = None
            number += 1

    async def play(self, match_id: str) -> tuple[Outcome, Outcome]:
        first, second = self.players
        return await asyncio.gather(
            first.play(match_id, 0, second.key.public_hex, None), self.accept(match_id, first, second)
        )

    async def accept(self, match_id: str, first: Player, second: Player) -> Outcome:
        while (challenge := first.store.sent(match_id, Challenge.name, 0)) is None:
            await asyncio.sleep(AGAIN_S)
        return await second.play(match_id, 1, first.key.public_hex, challenge.id)


@dataclass(slots=True, eq=False)
class ManaCampaign:
    folder: Path
    chance: Random
    timing: Random
    bug: str | None
    report: Callable[[], None]
    kills: int = 0
    pairs: list[Pair] = field(default_factory=list)
    found: set[Fault] = field(default_factory=set)

    @property
    def faults(self) -> AbstractSet[Fault]:
        return self.found

    @property
    def finished(self) -> int:
        return sum(len(pair.outcomes) for pair in self.pairs)

    def heard(self) -> int:
        """Events that players have received in all their matches."""
        return sum(player.store.received_count() for pair in self.pairs for player in pair.players)

    def acknowledged(self) -> int:
        """Rounds that were fought."""
        return sum(sum(both[0].score) for pair in self.pairs for both in pair.outcomes.values())

    async def run(self, wanted: int, seconds: float) -> None:
        services = make_services(self.folder, self.bug)
        for service in services.all:
            await service.start()
        async with AsyncExitStack() as stack:
            self.pairs = [await self.pair(stack, services, number) for number in range(PAIRS)]
            stopping = asyncio.Event()
            playing = [asyncio.create_task(pair.keep_playing(stopping)) for pair in self.pairs]
            try:
                await self.keep_killing(services, wanted, time.monotonic() + seconds)
                stopping.set()
                await asyncio.wait(playing, timeout=MATCH_S)
                self.judge_endings(playing)
                await self.audit(services)
            finally:
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
                await self.end(services)

    async def pair(self, stack: AsyncExitStack, services: Services, number: int) -> Pair:
        players = []
        for seat in "ab":
            delays = Delays(Random(self.chance.random()), 0.05, 0.5)
            pool = await stack.enter_async_context(RelayPool((Relay(services.relay_url, delays),)).running())
            player = Player(f"{number}{seat}", services, pool, self.folder, Random(self.chance.random()))
            stack.callback(player.close)
            players.append(player)
        return Pair((players[0], players[1]))

    async def keep_killing(self, services: Services, wanted: int, end: float) -> None:
        """One of the three, now and then two at once, and not always started again at once."""
        while self.kills < wanted and time.monotonic() < end:
            heard = self.heard()
            await asyncio.sleep(self.timing.uniform(SHORTEST_S, LONGEST_S))
            while self.heard() < heard + PLAYED and time.monotonic() < end:
                await asyncio.sleep(AGAIN_S)
            count = 2 if self.timing.random() < 0.2 else 1
            victims = self.timing.sample((*services.all, services.bot), count)
            for victim in dict.fromkeys(victims):
                await victim.kill()
                self.kills += 1
            if self.timing.random() < 0.5:
                await asyncio.sleep(self.timing.uniform(0, DOWN_S))
            for victim in dict.fromkeys(victims):
                await victim.start()
            if self.kills % 10 == 0:
                self.report()

    async def end(self, services: Services) -> None:
        for service in services.all:
            if service.process is not None and service.process.returncode is None:
                await service.kill()

    # -- what came of it -------------------------------------------------------------------------------------------

    def add(self, kind: str, match_id: str, what: str) -> None:
        self.found.add(Fault(kind, match_id, what))

    def judge_endings(self, playing: list[asyncio.Task[None]]) -> None:
        for pair, task in zip(self.pairs, playing, strict=True):
            if not task.done():
                self.add("lost", str(pair.current), "this match does not come to its end")
            elif (error := task.exception()) is not None:
                self.add("lost", str(pair.current), f"a player failed: {error!r}")
            for match_id, (first, second) in pair.outcomes.items():
                self.judge(pair, match_id, first, second)

    def judge(self, pair: Pair, match_id: str, first: Outcome, second: Outcome) -> None:
        if (first.winner, first.score, first.total_damage) != (second.winner, second.score, second.total_damage):
            self.add("divergent_views", match_id, f"{first} and {second}")
        for finding in (*first.findings, *second.findings):
            self.add("divergent_views", match_id, f"the referee {finding}")
        if first.reason not in ("rounds", "draw"):
            self.add("unfair_timeouts", match_id, f"both played in time, and it ended by {first.reason}")
        for player, outcome in zip(pair.players, (first, second), strict=True):
            won = outcome.winner == player.key.npub
            if won and outcome.redeemed != LOOT:
                self.add("lost", match_id, f"the winner redeemed {outcome.redeemed}")

    async def audit(self, services: Services) -> None:
        """The relay's and the mint's books against what the players know."""
        won: Counter[str] = Counter()
        for pair in self.pairs:
            for match_id, (outcome, _) in pair.outcomes.items():
                won[match_id] = outcome.winner is not None
            for player in pair.players:
                expected = LOOT * sum(both[0].winner == player.key.npub for both in pair.outcomes.values())
                if (held := await player.purse.balance(LOOT_UNIT)) != expected and pair.current is None:
                    kind = "doubled" if held > expected else "lost"
                    self.add(kind, player.name, f"holds {held} loot, and has won {expected}")
        self.judge_statements(await self.statements(services), won)
        await services.mint.kill()
        for match_id, amount in issued(self.folder / "mint.db"):
            if match_id in won and amount != LOOT * won[match_id]:
                self.add("doubled", match_id, f"{amount} loot was issued")

    async def statements(self, services: Services) -> dict[str, Event]:
        """Everything that the referee has ever said, as the relay and the players know it."""
        me = services.referee.public_hex
        player = self.pairs[0].players[0]
        await player.pool.relays[0].connected.wait()
        known = await player.pool.query(Filter(authors=(me,), tags={"t": (GAME,)}))
        for pair in self.pairs:
            for match_id in pair.outcomes:
                known += [event for one in pair.players for event in one.store.received(match_id) if event.pubkey == me]
        return {event.id: event for event in known}

    def judge_statements(self, said: dict[str, Event], won: Counter[str]) -> None:
        times: Counter[tuple[str, str]] = Counter()
        for event in said.values():
            found = BotEvent.decode(event)
            times[found.match_id, str(key_of(found, event))] += 1
        for (match_id, key), count in times.items():
            if count > 1:
                self.add("doubled", match_id, f"{key} was said {count} times")
        for match_id, count in won.items():
            if times[match_id, "loot_reward"] != count:
                self.add("lost" if count else "doubled", match_id, f"{times[match_id, 'loot_reward']} rewards")


def issued(ledger: Path) -> list[tuple[str, int]]:
    """Loot by match, from the mint's own file."""
    db = sqlite3.connect(ledger)
    rows = db.execute("SELECT match_id, sum(amount) FROM quotes WHERE method = 'loot' AND issued GROUP BY match_id")
    found = [(str(match_id), int(amount)) for match_id, amount in rows]
    db.close()
    return found
