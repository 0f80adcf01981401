"""Somebody at a table, with habits: slow, forgetful, restless, gone for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dicehall.core.game import Presence, Seat
from dicehall.dice.words import commitment, full_words
from dicehall.table import requests
from dicehall.table.chairs import Chair, chair_of
from dicehall.table.clocks import turn_dues
from dicehall.table.state import TableState, is_out
from dicehall.wire.actions import codec_of
from tests.simulation.client import Client, Gone, refused_as
from tests.simulation.line import Line
from tests.simulation.messages import Connect, Fetch, Look, Message
from tests.simulation.process import bot_of

if TYPE_CHECKING:
    from tests.simulation.world import World

OFFSETS = (
    -250,
    -20,
    -3,
    -1,
    -1,
    -1,
    0,
    0,
    1,
    500,
    999,
    1000,
    1001,
)  # ms from a deadline at which somebody on the edge arrives
PATIENCE_S = 8.0  # with a lobby that does not fill


class Person(Client):
    def __init__(
        self, world: World, name: str, table: str, traits: frozenset[str], *, sits: bool, keeper: bool = False
    ) -> None:
        super().__init__(world, name, table, name if sits or "nosy" in traits else None)
        self.traits = traits
        self.sits = sits
        self.keeper = keeper  # looks after the lobby
        self.words = full_words("", self.chance.randbytes(16))
        self.left: set[str] = set()  # habits that were lived out
        self.deserts_at = self.chance.uniform(3, 40) if "deserts" in traits else None
        self.level = self.chance.choice(("greedy", "greedy", "random"))
        self.refused_moves = 0

    @property
    def state(self) -> TableState:
        return self.world.chronicles[self.table].state

    @property
    def chair(self) -> Chair | None:
        return chair_of(self.state.chairs, self.account) if self.sits else None

    async def live(self) -> None:
        try:
            await self.pause(self.chance.choice((0.0, 0.3, 2.0)))
            if self.deserts_at is not None:
                self.world.later(self.deserts_at, self.leave_for_good)
            while not self.content():
                await self.once()
            self.hang_up()
        except Gone:
            self.world.note(f"{self.name} is gone for good")

    def content(self) -> bool:
        """Nothing more to do or see here."""
        if len(self.seen) < self.state.seq or (self.line is None and not self.state.ended):
            return False
        if self.state.ended or (not self.sits and self.world.clock.elapsed > self.world.weather.storm_s + 20):
            return True
        if self.state.phase == "lobby" or self.world.disk.heads[self.table].deadline is None:
            return self.world.clock.elapsed > self.world.weather.storm_s + 60
        return self.state.phase == "asleep" and not self.on_turn() and not self.world.stormy

    def on_turn(self) -> bool:
        chair = self.chair
        return chair is not None and self.state.seat(chair) in self.state.to_act() and chair.deputy is None

    async def once(self) -> None:
        if self.line is None:
            return await self.connect()
        if self.missed:
            self.missed = False
            return await self.resume()
        if self.siesta():
            await self.fall_asleep()
        elif self.world.stormy:
            await self.indulge()
        chair = self.chair
        if not self.sits or self.line is None:
            await self.rest(3.0)
        elif self.state.phase == "lobby":
            await self.wait_in_lobby(chair)
        elif chair is None or self.state.ended or is_out(self.state, self.state.seat(chair)):
            await self.rest(3.0)
        else:
            await self.sit_at(chair)

    # -- the lobby ---------------------------------------------------------------------------------

    async def wait_in_lobby(self, chair: Chair | None) -> None:
        state = self.state
        if chair is None:
            if len(state.chairs) == state.opened.seats:
                return await self.rest(2.0)
            committed = commitment(self.words) if "words" in self.traits else None
            await self.ask(requests.Sit(self.name, commitment=committed))
        elif state.clocks.words is not None and chair.unopened and "silent" not in self.traits:
            await self.ask(requests.OpenWords(self.words))
        elif self.keeper and self.patience_is_over() and len(state.chairs) < state.opened.seats:
            await self.ask(requests.SitBot(None, "greedy"))
        elif self.may_start() and state.clocks.words is None:
            await self.ask(requests.Start())
        elif self.keeper and "rude" in self.traits and "removed" not in self.left and self.chance.random() < 0.1:
            self.left.add("removed")
            await self.ask(requests.Remove(self.chance.randrange(state.opened.seats)))
        elif "leaves" in self.traits and "lobby" not in self.left and self.chance.random() < 0.2:
            self.left.add("lobby")
            await self.ask(requests.Stand())
        await self.rest(self.chance.uniform(0.2, 1.0))

    def patience_is_over(self) -> bool:
        late = self.world.clock.elapsed > PATIENCE_S
        return late or len(self.state.chairs) >= len(self.world.setup_of(self.table).people)

    def may_start(self) -> bool:
        asked = self.state.game.policy.starts == "asked"
        return self.keeper and asked and self.patience_is_over() and len(self.state.chairs) >= 2

    # -- the game ----------------------------------------------------------------------------------

    async def sit_at(self, chair: Chair) -> None:
        assert self.line is not None
        if chair.deputy is not None:
            await self.pause(self.chance.uniform(0.5, 4.0))
            await self.ask(requests.Reclaim(self.line.id if self.line else None))
        elif chair.presence is Presence.AWAY:
            await self.ask(requests.Sit(self.name))
        elif chair.conn != self.line.id and self.line.open:
            await self.ask(requests.Carry(self.line.id))
        elif self.on_turn():
            await self.move()
        else:
            if self.state.phase == "asleep" and self.world.stormy:
                await self.ask(requests.Do("roll"))  # whatever a seated person asks wakes the table
            await self.rest(self.chance.uniform(1.0, 3.0))

    async def move(self) -> None:
        state, chair = self.state, self.chair
        assert chair is not None
        due = next(iter(turn_dues(state)), None)
        arrives = None
        if due is not None and self.world.stormy and "edge" in self.traits and self.chance.random() < 0.5:
            aim = (due.at + self.chance.choice(OFFSETS) - self.world.clock.now()) / 1000
            arrives = max(0.0, aim)
            if self.chance.random() < 0.8:
                self.fumble(max(0.0, arrives - 0.003))
        elif due is not None and self.world.stormy and "slow" in self.traits and self.chance.random() < 0.3:
            await self.pause((due.at - self.world.clock.now()) / 1000 + self.chance.uniform(-0.5, 2.5))
        else:
            await self.pause(self.chance.uniform(0.05, 0.8))
        if self.state.seq != state.seq and not self.on_turn():
            return
        await self.ask(requests.Do(self.choice()), arrives)

    def choice(self) -> Any:
        state, chair = self.state, self.chair
        if chair is None or not state.running:
            return "roll"
        seat = state.seat(chair)
        if "rude" in self.traits and self.world.stormy and self.chance.random() < 0.2:
            return self.chance.choice(("dance", {"hold": [0, 0]}, "bank", {"lock": []}, {"pick": 99}))
        choices = state.game.choices(state.position, seat)
        if not choices:
            return "roll"
        game: Any = state.game
        action = bot_of(game, self.level)(state.game.view(state.position, seat), Seat(seat), choices, self.chance)
        return codec_of(type(state.game)).encode(action)

    # -- habits ------------------------------------------------------------------------------------

    async def indulge(self) -> None:
        """Live out a habit, now and then."""
        if self.chance.random() > 0.25:
            return
        habits = [self.drop, self.second, self.stand_up, self.fall_asleep, self.depute, self.read, self.shout]
        await self.chance.choice(habits)()

    async def drop(self) -> None:
        if "drops" in self.traits and self.line is not None:
            self.line.ends()
            self.line = None
            await self.pause(self.chance.choice((0.1, 1.0, 4.9, 5.0, 7.0, 12.0)))

    def fumble(self, after: float) -> None:
        """A connection that nobody wanted, just before something that matters: it makes the table write."""
        self.count += 1
        line = Line(self, self.count)
        message = Message(self, self.table, f"c{self.count}", Connect(line))
        self.world.network.to_host(message, after)
        self.world.later(after + 4.0, line.ends)

    async def second(self) -> None:
        """A second connection takes the seat over; the first goes on listening and ends later."""
        if "second" in self.traits and self.line is not None:
            first, self.line = self.line, None
            self.world.later(self.chance.uniform(0.5, 12.0), first.ends)
            await self.connect()

    async def stand_up(self) -> None:
        chair = self.chair
        if "leaves" in self.traits and chair is not None and self.state.running:
            await self.ask(requests.Stand())
            await self.pause(self.chance.choice((0.2, 3.0, 9.0, 14.0)))

    def siesta(self) -> bool:
        """At some tables all stop at the same time, so that the table sleeps."""
        return "siesta" in self.traits and "sleep" not in self.left and self.state.seq > 8 and self.state.running

    async def fall_asleep(self) -> None:
        if self.traits & {"sleeps", "siesta"} and "sleep" not in self.left and self.state.running:
            self.left.add("sleep")
            if self.chance.random() < 0.5:
                self.hang_up()
            for _ in range(18):
                await self.pause(3.0)
                if self.state.phase != "playing":
                    break
            if self.chance.random() < 0.5:
                await self.ask(Look())  # which wakes nobody (W8)
            await self.pause(self.chance.uniform(0.0, 25.0))

    async def depute(self) -> None:
        if "deputes" in self.traits and self.chair is not None and self.state.phase == "playing":
            await self.ask(requests.Depute("random"))

    async def read(self) -> None:
        if "nosy" in self.traits:
            await self.ask(Look())
            if self.state.sitting:
                await self.ask(Fetch())

    async def shout(self) -> None:
        """Ask for something that is not one's own to ask."""
        if "rude" in self.traits and self.account is not None:
            outcome = await self.ask(requests.Do("roll"))
            self.refused_moves += refused_as(outcome, "not_your_turn", "not_seated")
