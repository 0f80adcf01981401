"""Several processes in all weathers: people who play through any of them while lines break and processes die.

From one seed, in virtual time. What came of it is held against the journal (see checks.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dicehall.core.game import Refused
from dicehall.core.house import with_rules
from dicehall.games import catalogue
from dicehall.table import acts
from dicehall.table.coming import Answer
from dicehall.table.ports import JournalError
from dicehall.table.requests import Code, Do, Sit, Start
from dicehall.wire.actions import codec_of
from tests.nodes.hosting import Cluster, Node, T
from tests.table.fakes import Ear

STORM_S = 60.0
CALM_S = 60.0
REST_S = 3.0  # without people, before it is looked at
AGAIN = (Code.STORE_UNAVAILABLE, Code.SHUTTING_DOWN, Code.RATE_LIMITED)
HOUR_MS = 3_600_000

# Games that last longer than a storm, with short clocks.
RULES: dict[str, dict[str, int | None]] = {
    "wards": {"goal": 60},
    "aetharn": {"goal": 8_000, "grace_seconds": 60},
    "tenthousand": {"goal": 9_000, "opening": 0},
    "doordice": {"rounds": 10, "hp": 60},
    "mana": {"rounds": 8, "match_seconds": 300},
}


@dataclass(slots=True, eq=False)
class Player:
    name: str
    chance: Random
    node: Node | None = None
    ear: Ear | None = None
    ears: list[Ear] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    sent: int = 0
    deserts_s: float | None = None  # when they are gone for good, though their connection stays


@dataclass(slots=True, eq=False)
class Trouble:
    """A process that could not serve anybody, by its own clock (ms)."""

    process: str
    since: int
    till: int | None = None  # None where it is dead, or it has not ended yet


@dataclass(slots=True, eq=False)
class Soak:
    seed: int
    cluster: Cluster = field(default_factory=Cluster)
    wrongs: list[str] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    in_trouble: set[Node] = field(default_factory=set)  # by one fault, and not by another at the same time
    set_forward: int = 0  # ms by which the database's clock was set forward in all
    booted: int = 0
    chance: Random = field(init=False)
    players: list[Player] = field(init=False)

    def __post_init__(self) -> None:
        self.chance = Random(f"soak {self.seed}")
        self.players = [Player(name, Random(f"{self.seed} {name}")) for name in ("ann", "bo", "")]
        for player in self.players[: self.chance.choice((0, 0, 0, 1, 2))]:
            player.deserts_s = self.chance.uniform(10.0, STORM_S)

    # -- the story ----------------------------------------------------------------------------------

    async def play(self, weather: Callable[[Soak], Awaitable[None]], winds: int) -> None:
        for _ in range(self.chance.choice((2, 2, 3))):
            await self.boot()
        await self.open()
        blowing = [asyncio.ensure_future(weather(self)) for _ in range(winds)]
        *people, spectator = self.players
        living = [asyncio.create_task(self.live(player)) for player in people]
        living.append(asyncio.create_task(self.watch(spectator)))
        await asyncio.sleep(STORM_S + CALM_S)
        for task in (*blowing, *living):
            task.cancel()
            if task.done() and not task.cancelled() and task.exception() is not None:
                raise AssertionError("The soak itself is broken.") from task.exception()
        await asyncio.gather(*blowing, *living, return_exceptions=True)
        await asyncio.sleep(REST_S)

    async def open(self) -> None:
        self.cluster.bots.seconds = self.chance.choice((0.0, 0.0, 2.5))
        key = self.chance.choice(tuple(RULES))
        clock: dict[str, int | None] = {"round_seconds" if key == "mana" else "turn_seconds": 5}
        game = with_rules(catalogue()[key], RULES[key] | clock)
        seats = self.chance.choice([seats for seats in game.seats if 2 <= seats <= 3] or game.seats)
        bots = tuple(acts.BotSeat(chair, "greedy", f"Bot {chair}") for chair in range(2, seats))
        opening = self.alive[0].host.open(T, game, by="ann", seats=seats, bot_ms=100, bots=bots)
        await self.alive[0].within(opening)

    async def boot(self) -> None:
        self.booted += 1
        wrong_ms = self.chance.choice((0, -HOUR_MS, 20_000, HOUR_MS))
        rate = self.chance.choice((1.0, 1.0, 0.998, 1.004))
        while True:
            try:
                node = await self.cluster.boot(f"p{self.booted}", wrong_ms, rate)
                node.nodes.journal.seconds = self.chance.choice((0.0, 0.02, 0.1))
                return
            except (JournalError, TimeoutError):
                await asyncio.sleep(0.5)

    @property
    def alive(self) -> list[Node]:
        return self.cluster.all

    async def any_node(self, chance: Random) -> Node:
        """One that lives; after all have died the next one is starting."""
        while not self.alive:
            await asyncio.sleep(0.1)
        return chance.choice(self.alive)

    @property
    def head(self) -> int:
        return len(self.cluster.hub.journal._rows.get(T, ()))

    # -- people -------------------------------------------------------------------------------------

    async def live(self, player: Player) -> None:
        await self.sit(player)
        while player.deserts_s is None or self.cluster.clock.elapsed < player.deserts_s:
            await asyncio.sleep(player.chance.choice((0.05, 0.2, 0.5, 1.0, 6.5)))
            await self.stay_connected(player)
            state = await self.look()
            if state is None or state.ended:
                continue
            if state.phase == "lobby":
                await self.start(player, state)
                continue
            seats = [state.seat(chair) for chair in state.chairs if chair.account == player.name]
            choices = state.game.choices(state.position, seats[0]) if state.sitting and seats else []
            if choices and seats[0] in state.to_act():
                kind: Any = type(state.game)
                move = codec_of(kind).encode(player.chance.choice(choices))
                await self.send(player, Do(move))

    async def sit(self, player: Player) -> None:
        while True:
            await self.stay_connected(player)
            if player.ear is not None and await self.send(player, Sit(player.name, None, None, player.ear.id)):
                return
            await asyncio.sleep(0.2)

    async def start(self, player: Player, state: Any) -> None:
        """Whoever fell out of the lobby sits down again; the one who opened the table starts it once all are there."""
        if not any(chair.account == player.name for chair in state.chairs):
            await self.sit(player)
        elif player.name == "ann" and len(state.chairs) == state.opened.seats:
            await self.send(player, Start())

    async def watch(self, player: Player) -> None:
        while True:
            await self.stay_connected(player)
            await asyncio.sleep(0.5)

    async def stay_connected(self, player: Player) -> None:
        """After the process of a connection died, or now and then, at any process that answers."""
        lost = player.node is None or player.node not in self.alive
        if not lost and player.chance.random() > 0.02:
            return
        if not lost and player.node is not None and player.ear is not None:
            player.node.nodes.gate.call(player.node.host.disconnect, T, player.ear.id)
        player.node = player.ear = None
        node = await self.any_node(player.chance)
        ear = node.ear()
        player.ears.append(ear)
        try:
            await node.within(node.host.connect(T, ear, player.name or None))
        except (Refused, TimeoutError):
            node.nodes.gate.call(node.host.disconnect, T, ear.id)
            return
        player.node, player.ear = node, ear

    async def look(self) -> Any:
        """Whatever process is asked, it answers on the journal's head."""
        before, node = self.head, await self.any_node(self.chance)
        try:
            state = (await node.within(node.host.look(T))).state
        except (Refused, TimeoutError):
            return None
        if state.seq < before:
            self.wrongs.append(f"{state.seq} was shown when {before} was stored")
        return state

    async def send(self, player: Player, request: Any) -> bool:
        """The same request under the same id, at any process, until it is answered."""
        player.sent += 1
        id = f"{player.name} {player.sent}"
        for attempt in range(40):
            node = await self.any_node(player.chance)
            try:
                answer: Answer = await node.within(node.host.ask(T, request, player.name, id))
            except TimeoutError:
                continue
            except Refused as refused:
                if attempt == 0 or refused.code not in AGAIN:
                    self.note_refusal(player, id)
                if refused.code not in AGAIN:
                    return False
                await asyncio.sleep(0.3)
                continue
            if player.acknowledged.setdefault(id, answer.n) != answer.n:
                self.wrongs.append(f"{id} was acknowledged twice")
            return True
        return False

    def note_refusal(self, player: Player, id: str) -> None:
        """A refusal is given on the journal's head: whatever is refused is not stored."""
        if any(row.id == id and row.account == player.name for row, _ in self.cluster.hub.stored):
            self.wrongs.append(f"{id} is stored and was refused")
