"""One run: the referee on virtual time with its players, relays, mint and faults, and all that came of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

from dicehall.nostr import relay as relay_client
from dicehall.nostr.events import Event
from dicehall.nostr.keys import SecretKey
from dicehall.referee.entries import Limits
from tests.referee.mutations import broken, mutated
from tests.referee.people import Person
from tests.referee.simulation.mint import SimulatedMint
from tests.referee.simulation.players import CHEATS, Player, with_token
from tests.referee.simulation.process import Process
from tests.referee.simulation.relay import SimulatedRelay
from tests.referee.simulation.weather import forecast, length
from tests.table.virtual import VirtualClock, VirtualLoop
from tools.bugs.switching import patched

CAP_S = 2000.0  # after the storm; a run that is not at rest by then never will be
ROUND_MS = 60_000
STRANGERS = tuple(SecretKey(bytes(31) + bytes((number,))) for number in range(100, 103))


@dataclass(frozen=True, slots=True)
class Wrong:
    check: str
    match_id: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Row:
    """Something that was committed: a row of the referee's store."""

    at: float
    table: str
    values: Sequence[Any]


class World:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.clock = VirtualClock()
        self.loop = VirtualLoop(self.clock)
        chance = Random(f"{seed}/setup")
        self.weather = forecast(Random(f"{seed}/weather"))
        self.faults = Random(f"{seed}/faults")
        self.limits = Limits(ROUND_MS, chance.choice((1_800_000, 1_800_000, 150_000)))
        self.max_matches = chance.choice((4, 100))
        self.relays = [SimulatedRelay(f"ws://relay-{n}", self) for n in range(chance.choice((1, 1, 2)))]
        self.mint = SimulatedMint(self)
        self.disk: bytes | None = None
        self.process: Process | None = None
        self.challenges: dict[str, Event] = {}
        self.published: dict[str, Event] = {}  # by players, in order
        self.first_said: dict[str, float] = {}  # events of the referee, by id: when a relay first had one
        self.said: dict[str, Event] = {}
        self.heard_by_match: dict[str, dict[str, Event]] = {}
        self.rows: list[Row] = []
        self.stored: set[str] = set()  # ids of events that were committed before they were sent
        self.reach: list[tuple[float, bool]] = [(0.0, False)]  # when players could and could not reach the referee
        self.kills: list[tuple[float, str]] = []
        self.wrongs: list[Wrong] = []
        self.players = list(self.pair_up(chance))

    # -- who plays -----------------------------------------------------------------------------------------------

    def pair_up(self, chance: Random) -> Iterator[Player]:
        people = [Person.called(f"{self.seed}/{number}", number % 16) for number in range(6)]
        used: list[Person] = []
        for number in range(chance.choice((1, 3, 6))):
            pair = chance.sample(people, 2)
            for seat in (0, 1):
                character = draw_character(chance)
                person, other = self.with_token(chance, pair[seat], character, used), pair[1 - seat].key.public_hex
                player = Player(self, f"m{number}", seat, person, other, character, Random(chance.random()))
                if character == "absent":
                    player.leaves_after = chance.randrange(1, 12)
                yield player

    def with_token(self, chance: Random, person: Person, character: str, used: list[Person]) -> Person:
        """A token of the mint for every match, except for those who try without."""
        if character == "used token" and used:
            other = chance.choice(used)
            return with_token(person, other.secret, other.C)
        fresh = with_token(person, chance.randbytes(32).hex(), "02" + chance.randbytes(32).hex())
        if character != "unknown token":
            self.mint.tokens[fresh.secret, fresh.C] = chance.randrange(16)
        if character == "used token":  # they share one
            used.append(fresh)
        return fresh

    # -- chance ----------------------------------------------------------------------------------------------

    @property
    def is_stormy(self) -> bool:
        return self.clock.elapsed < self.weather.storm_s

    def happens(self, share: float) -> bool:
        return self.is_stormy and share > 0 and self.faults.random() < share

    def delay(self) -> float:
        return self.faults.uniform(0.001, self.weather.late_s if self.is_stormy else 0.1)

    def is_too_long(self) -> bool:
        return self.clock.elapsed > self.weather.storm_s + CAP_S

    # -- what players do and see ---------------------------------------------------------------------------------

    def publish(self, event: Event) -> None:
        self.published.setdefault(event.id, event)
        for relay in self.relays:
            if not self.happens(self.weather.lost):
                self.loop.call_later(self.delay(), relay.take, event)

    def heard(self, match_id: str) -> dict[str, Event]:
        return self.heard_by_match.get(match_id, {})

    def find(self, match_id: str, author: str, name: str, number: int) -> Event | None:
        for event in self.published.values():
            named = event.tag(name) and event.tag("match_id") == match_id and event.tag("round") == str(number)
            if named and event.pubkey == author:
                return event
        return None

    # -- what is noted -------------------------------------------------------------------------------------------

    def note_said(self, event: Event) -> None:
        self.first_said.setdefault(event.id, self.clock.elapsed)
        self.said.setdefault(event.id, event)
        heard = self.heard_by_match.setdefault(event.tag("match_id") or "", {})
        for name in ("reveal_request", "round_result"):
            if (number := event.tag(name)) is not None:
                heard[f"{name}/{number}"] = event
        if (status := event.tag("match_announcement")) is not None and self.is_meant(event, status):
            heard[status] = event
        if event.tag("match_result") is not None:
            heard["match_result"] = event

    def is_meant(self, event: Event, status: str) -> bool:
        """Whether this is about the challenge of our players; strangers may be refused under the same match id."""
        challenge = self.challenges.get(event.tag("match_id") or "")
        return status != "refused" or (challenge is not None and challenge.id in event.tag_values("e"))

    def check_stored_before_said(self, event: Event) -> None:
        if event.id not in self.stored:
            self.found("stored before said", event.tag("match_id") or "", f"{event.content[:80]} was not committed")

    def check_stored_before_bound(self, secret: str, match_id: str) -> None:
        """A token is spent by binding it, so the reveal that shows it must not be lost by then."""
        kept = (row.values for row in self.rows if row.table == "insert waiting")
        if not any(values[1] == match_id and secret in values[3] for values in kept):
            self.found("stored before bound", match_id, "the mint binds the token of a reveal that was not committed")

    def note_committed(self, batch: Sequence[tuple[str, Sequence[Any]]]) -> None:
        for statement, values in batch:
            words = statement.split()
            if words[0] in ("INSERT", "DELETE"):
                table = words[words.index("INTO" if words[0] == "INSERT" else "FROM") + 1]
                self.rows.append(Row(self.clock.elapsed, f"{words[0].lower()} {table}", values))
                if table == "outbox" and words[0] == "INSERT":
                    self.stored.add(values[2])

    def note_reach(self) -> None:
        reachable = any(
            connection.process is self.process and not connection.process.dead
            for relay in self.relays
            for connection in relay.connections
        )
        if reachable is not self.reach[-1][1]:
            self.reach.append((self.clock.elapsed, reachable))

    def found(self, check: str, match_id: str, sentence: str) -> None:
        self.wrongs.append(Wrong(check, match_id, sentence))

    # -- the run -------------------------------------------------------------------------------------------------

    def run(self) -> World:
        with self.in_place_of_the_network():
            try:
                self.loop.run_until_complete(self.live())
            finally:
                self.disk = self.process.kill() if self.process is not None and not self.process.dead else self.disk
                self.loop.run_until_complete(self.stop())
                self.loop.close()
        return self

    async def stop(self) -> None:
        tasks = asyncio.all_tasks(self.loop) - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @contextmanager
    def in_place_of_the_network(self) -> Iterator[None]:
        with patched(relay_client, "connect", self.connect):
            yield

    def connect(self, url: str, **more: object) -> Any:
        assert self.process is not None
        return self.process.connect(url, **more)

    async def live(self) -> None:
        self.start()
        playing = [self.loop.create_task(self.enter(player)) for player in self.players]
        troubles = [self.loop.create_task(work) for work in (self.blow(), self.attack(), self.flood())]
        await asyncio.gather(*playing, *troubles)
        while not self.is_at_rest():
            if self.is_too_long():
                self.found("everything is done in the end", "", "the referee still has something to do")
                return
            await asyncio.sleep(5)

    async def enter(self, player: Player) -> None:
        await asyncio.sleep(int(player.match_id[1:]) * 7.0)
        await player.play()

    def is_at_rest(self) -> bool:
        if self.process is None or self.is_stormy:
            return False
        referee = self.process.bot.referee
        return not any(referee.live()) and not (
            referee.outbox.unpublished or referee.rewards.owed or referee.tokens.waiting
        )

    def start(self) -> None:
        self.process = Process(self)

    def kill(self, when: str) -> None:
        """And start it again, at once or later."""
        process = self.process
        if process is None or process.dead:
            return
        self.disk = process.kill()
        self.kills.append((self.clock.elapsed, when))
        for relay in self.relays:
            for connection in tuple(relay.connections):
                connection.cut()
        self.note_reach()
        self.loop.call_later(length(self.faults), self.start)

    async def blow(self) -> None:
        while self.is_stormy and self.weather.blows:
            await asyncio.sleep(self.faults.uniform(0.2, 2 * self.weather.every_s))
            relay, seconds = self.faults.choice(self.relays), length(self.faults)
            match self.faults.choice(self.weather.blows):
                case "crash":
                    self.kill("at some moment")
                case "relay":
                    relay.go_down()
                    self.loop.call_later(seconds, setattr, relay, "up", True)
                case "mint":
                    self.mint.up = False
                    self.loop.call_later(seconds, setattr, self.mint, "up", True)
                case "cut":
                    for connection in tuple(relay.connections):
                        connection.cut()
                case "forget":
                    relay.forget(self.faults.random())

    async def attack(self) -> None:
        """Strangers and hostile relays, with changed copies of what they have seen."""
        while self.is_stormy and self.weather.hostile:
            await asyncio.sleep(self.faults.expovariate(self.weather.hostile))
            seen = [*self.published.values(), *self.said.values()]
            if not seen:
                continue
            event, relay = self.faults.choice(seen), self.faults.choice(self.relays)
            if self.faults.random() < 0.8:
                hostile = mutated(self.faults, event, STRANGERS)
                self.published.setdefault(hostile.id, hostile)
                relay.take(hostile)
            for connection in relay.connections:
                for name in tuple(connection.filters):
                    connection.push(["EVENT", name, harmless(broken(self.faults, event))], 0.0)

    async def flood(self) -> None:
        """Somebody who opens more challenges than anybody may."""
        if self.seed % 3 == 0:
            key = STRANGERS[0]
            for number in range(8):
                challenge = Person(key, "", "").challenge(self.players[0].person, f"flood-{number}")
                assert isinstance(challenge, Event)
                self.publish(challenge)
                await asyncio.sleep(1)


def harmless(value: Any) -> Any:
    """As JSON can say it; a number without end would not even be sent."""
    try:
        msgspec.json.encode(value)
    except (OverflowError, UnicodeEncodeError, ValueError):
        return None
    return value


def draw_character(chance: Random) -> str:
    kind = chance.random()
    if kind < 0.55:
        return "honest"
    return "slow" if kind < 0.65 else "absent" if kind < 0.75 else chance.choice(CHEATS)
