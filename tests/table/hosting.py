"""A host in virtual time with real rules, real sealed dice and people who come, play and go."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Any, Concatenate, ParamSpec

import pytest

from dicehall.bots.levels import bots_for
from dicehall.core.game import Faces, Refused, Seat
from dicehall.dice.words import commitment
from dicehall.games import catalogue
from dicehall.launch.wiring import SealedBox
from dicehall.table.acts import Act, decode_act
from dicehall.table.coming import Answer
from dicehall.table.host import Host, Parts
from dicehall.table.live import LiveTable
from dicehall.table.record import record_of
from dicehall.table.requests import Do, OpenWords, Request, Sit, SitBot, Stand, Start
from dicehall.table.state import Told
from dicehall.table.story import story
from dicehall.wire.record import Record
from tests.table.fakes import Ear, LoadedDice
from tests.table.journal import TestJournal
from tests.table.virtual import START_MS, VirtualClock, run

P = ParamSpec("P")
T = "t"  # the table most tests play at


@dataclass(slots=True)
class Box(SealedBox):
    """Sealed dice from secrets that are the same in every run."""

    named: dict[int, Faces] = field(default_factory=dict)
    made: list[bytes] = field(default_factory=list)

    def secret(self) -> bytes:
        self.made.append(sha256(f"secret {len(self.made)}".encode()).digest())
        return self.made[-1]

    def dice(self, secret: bytes) -> Any:
        return LoadedDice(super(Box, self).dice(secret), self.named)


@dataclass(slots=True)
class Bots:
    """The hall's own bots; every choice is written down with the seed it was made from."""

    asked: list[tuple[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    broken: bool = False

    async def choose(self, game: Any, level: str, view: Any, me: Seat, choices: Sequence[Any], seed: str) -> Any:
        await asyncio.sleep(self.seconds)
        if self.broken:
            raise RuntimeError("this bot cannot think")
        chosen = bots_for(game)[level](view, me, choices, Random(seed))
        self.asked.append((seed, chosen))
        return chosen


class World:
    """One machine: its clock, its journal, and the process that hosts the tables."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.journal = TestJournal()
        self.box = Box()
        self.bots = Bots()
        self.frozen: list[str] = []
        self.starts = 0
        self.ears = 0
        self.host: Host

    # -- time -------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """Milliseconds since the world began."""
        return self.clock.now() - START_MS

    async def until(self, ms: int) -> None:
        assert ms >= self.now, f"it is {self.now} already"
        await asyncio.sleep((ms - self.now) / 1000)
        assert self.now == ms

    async def after(self, ms: int) -> None:
        await self.until(self.now + ms)

    # -- the process --------------------------------------------------------------------------------

    async def boot(self) -> None:
        """Start a process on the journal as it is."""
        self.starts += 1
        games, process = catalogue(), f"p{self.starts}"
        told = lambda table, _: self.frozen.append(table)  # noqa: E731
        parts = Parts(self.journal, self.clock, self.box, self.bots, games, process, told, archive=self.journal)
        self.host = Host(replace(parts, **self.parts_changed()))
        await self.host.start()

    def parts_changed(self) -> dict[str, Any]:
        """What a test has otherwise in its host."""
        return {}

    async def die(self) -> None:
        """The process is gone, in the middle of whatever it did."""
        workers = [live.busy for live in self.host.tables.values() if live.busy]
        tasks = [*self.host.tasks, *(one.task for one in self.host.loading.values()), *workers]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def dead_for(self, ms: int) -> None:
        await self.die()
        await self.after(ms)
        await self.boot()

    def suspend(self, ms: int) -> None:
        """The machine sleeps with all its processes; its clocks have moved on when it wakes."""
        self.clock.elapsed += ms / 1000

    # -- tables ---------------------------------------------------------------------------------------

    async def open(self, key: str, *, table: str = T, rules: dict[str, Any] | None = None, **chosen: Any) -> LiveTable:
        chosen.setdefault("by", "ann")
        return await self.host.open(table, catalogue()[key](**(rules or {})), **chosen)

    async def play(self, key: str, *names: str, **chosen: Any) -> tuple[Person, ...]:
        """A game that has started, with these people in its seats."""
        await self.open(key, **{"seats": len(names), **chosen})
        people = tuple([await self.person(name) for name in names])
        for person in people:
            await person.sit()
        if self.live().state.phase == "lobby":
            await people[0].ask(Start())
        return self.in_seats(people)

    def in_seats(self, people: tuple[Person, ...]) -> tuple[Person, ...]:
        """People by seat, those on turn first where an order was drawn."""
        known = {person.name.lower(): person for person in people}
        chairs = self.live().state.chairs
        order = getattr(self.live().state.position, "order", None) or range(len(chairs))
        return tuple(known[chairs[seat].account or ""] for seat in order)

    async def person(self, name: str, table: str = T) -> Person:
        return Person(self, name, table)

    async def bot(self, level: str = "greedy", table: str = T) -> None:
        await self.host.ask(table, SitBot(None, level))

    def live(self, table: str = T) -> LiveTable:
        return self.host.tables[table]

    def silence(self, table: str = T) -> None:
        """No timer looks at this table any more."""
        live = self.live(table)
        live.ports = replace(live.ports, schedule=lambda *_: None)
        self.host.schedule(table, None)

    def ear(self) -> Ear:
        self.ears += 1
        return Ear(f"p{self.starts}:{self.ears}")

    async def watch(self, table: str = T, account: str | None = None) -> Ear:
        ear = self.ear()
        await self.host.connect(table, ear, account)
        return ear

    # -- what is stored -----------------------------------------------------------------------------------

    def acts(self, table: str = T) -> list[Act]:
        return [decode_act(row.act) for row in self.journal.stored(table)]

    def names(self, table: str = T) -> list[str]:
        return [type(act).__name__ for act in self.acts(table)]

    def times(self, name: str, table: str = T) -> list[int]:
        """When acts of this name were stored as of."""
        rows = self.journal.stored(table)
        return [row.at - START_MS for row in rows if type(decode_act(row.act)).__name__ == name]

    def expiries(self, table: str = T) -> list[tuple[int, int]]:
        """Every time-out in the journal: when, and whose."""
        rows = [(row.at - START_MS, decode_act(row.act)) for row in self.journal.stored(table)]
        return [(at, entry["seat"]) for at, act in rows for entry in act.entries if "expired" in entry]

    def story(self, table: str = T) -> list[Told]:
        return list(story(table, self.journal.stored(table), catalogue()))

    def record(self, table: str = T) -> Record:
        return record_of(self.story(table))


@dataclass(slots=True, eq=False)
class Person:
    world: World
    name: str
    table: str
    ears: list[Ear] = field(default_factory=list)

    @property
    def account(self) -> str:
        return self.name.lower()

    @property
    def words(self) -> str:
        return f"{self.name} says {'0123456789abcdef' * 2}"

    @property
    def seat(self) -> Seat:
        state = self.world.live(self.table).state
        return next(state.seat(chair) for chair in state.chairs if chair.account == self.account)

    async def ask(self, request: Request, id: str | None = None) -> Answer:
        return await self.world.host.ask(self.table, request, self.account, id)

    async def do(self, move: Any, id: str | None = None) -> Answer:
        return await self.ask(Do(move), id)

    async def sit(self, chair: int | None = None, *, committed: bool = False, id: str | None = None) -> Answer:
        """Come to the table, listen, and take a chair."""
        ear = await self.come()
        return await self.ask(Sit(self.name, chair, commitment(self.words) if committed else None, ear.id), id)

    async def come(self) -> Ear:
        """Connect: a spectator listens, a seat is carried from here on."""
        self.ears.append(self.world.ear())
        await self.world.host.connect(self.table, self.ears[-1], self.account)
        return self.ears[-1]

    async def open_words(self, words: str | None = None) -> Answer:
        return await self.ask(OpenWords(self.words if words is None else words))

    def drop(self) -> None:
        """The connection is lost."""
        self.world.host.disconnect(self.table, self.ears[-1].id)

    async def leave(self) -> Answer:
        """Get up from the chair."""
        return await self.ask(Stand())

    @property
    def heard(self) -> list[dict[str, Any]]:
        """All that was pushed to this person, each update once though two connections may have heard it."""
        messages = [message for ear in self.ears for message in ear.messages]
        numbers = [message.get("n") for message in messages]
        return [
            message for at, message in enumerate(messages) if numbers[at] is None or numbers[at] not in numbers[:at]
        ]

    def told(self, event: str) -> list[dict[str, Any]]:
        """The events of this name that this person was told, numbered or not."""
        return events(self.heard, event)


def events(messages: Sequence[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    known = [event for message in messages for event in message.get("events", [message])]
    return [event for event in known if event.get("event") == name]


async def code_of(asked: Awaitable[Any]) -> str:
    """The code with which something is refused."""
    with pytest.raises(Refused) as caught:
        await asked
    assert caught.value.sentence
    return str(caught.value.code.value)


def hosted(test: Callable[Concatenate[World, P], Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test inside a world whose process has started; nothing in it may fail unseen."""

    def in_a_world(*args: P.args, **kwargs: P.kwargs) -> None:
        world, unseen = World(), list[dict[str, Any]]()

        async def whole() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
            await world.boot()
            await test(world, *args, **kwargs)
            await world.host.stop()

        run(whole(), world.clock)
        assert not unseen, unseen

    in_a_world.__name__, in_a_world.__doc__ = test.__name__, test.__doc__
    in_a_world.__module__ = test.__module__
    signature = inspect.signature(test)
    kept = [parameter for name, parameter in signature.parameters.items() if name != "world"]
    in_a_world.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return in_a_world
