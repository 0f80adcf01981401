"""Whole halls at random: people at many tables, a host that dies between any two steps, answers that get lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

from dicehall.core.game import Refused
from dicehall.hall.cards import Card
from dicehall.hall.hall import Hall
from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.register import Filter
from dicehall.store.memory import MemoryJournal
from dicehall.store.memory_register import MemoryRegister
from dicehall.table.ports import Commit
from dicehall.table.requests import Code, Start
from tests.hall.halls import House
from tests.table.fakes import Ear
from tests.table.virtual import run

RULES: dict[str, dict[str, int | None]] = {
    "wards": {"goal": 5},
    "mana": {"rounds": 1},
    "tenthousand": {"goal": 150, "opening": 0},
    "aetharn": {"goal": 200, "grace_seconds": 8},
}
AGAIN = (Code.STORE_UNAVAILABLE, Code.SHUTTING_DOWN, Code.RATE_LIMITED)
Work: TypeAlias = Callable[[Hall], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Ack:
    """What somebody was told: the request with its id, and the answer."""

    kind: str
    account: str
    table: str
    id: str
    answer: Any


class ShakyJournal(MemoryJournal):
    """Stores honestly; before and after each commit the process may die."""

    def __init__(self, chance: Random) -> None:
        super().__init__()
        self.chance = chance
        self.kept: list[Commit] = []  # everything ever stored, archived tables too
        self.kill: Callable[[], None] = lambda: None
        self.deaths = 0  # still to come

    async def append(self, commit: Commit) -> None:
        await self.breathe()
        await self.keep(commit)
        await self.breathe()

    async def keep(self, commit: Commit) -> None:
        await super().append(commit)
        self.kept.append(commit)

    async def breathe(self) -> None:
        for _ in range(self.chance.randrange(3)):
            if self.deaths and self.chance.random() < 0.06:
                self.deaths -= 1
                self.kill()
            await asyncio.sleep(0)


class LateResults(ShakyJournal):
    """A deliberate bug: the results of a game are written after the act that ends it, not with it."""

    async def keep(self, commit: Commit) -> None:
        if commit.row.seq == 1:
            return await super().keep(commit)
        await super().keep(Commit(commit.row, commit.head, commit.secret))
        await self.breathe()
        self.register.add(commit.also)


class Forgetful(MemoryRegister):
    """Knows of no rematches, neither when somebody asks nor when one is written."""

    async def rematch_of(self, table: str) -> Card | None:
        return None

    def add(self, facts: Sequence[Any]) -> bool:
        cards = [fact for fact in facts if isinstance(fact, Card)]
        self._cards |= {card.table: card for card in cards}
        return super().add([fact for fact in facts if fact not in cards])


class TwiceAllowed(ShakyJournal):
    """A deliberate bug: nobody checks whether there is a rematch already."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.register = Forgetful(self._heads.get)


class Crowd(House):
    """A hall with its people, one run of one seed."""

    journal: ShakyJournal

    def __init__(self, seed: int, journal: type[ShakyJournal]) -> None:
        self.chance = Random(f"hall {seed}")
        super().__init__(journal(Random(f"journal {seed}")))
        self.journal.kill = lambda: self.later(self.crash())
        self.up, self.inflight, self.crashes = asyncio.Event(), set[asyncio.Task[Any]](), set[asyncio.Task[Any]]()
        self.acks: list[Ack] = []
        self.listening: list[Ear] = []
        self.who: list[str] = []
        self.asked = 0
        self.unseen: list[dict[str, Any]] = []

    # -- the process ------------------------------------------------------------------------------------

    def later(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.crashes.add(task)
        task.add_done_callback(self.crashes.discard)

    async def crash(self) -> None:
        """All memory of the process is gone; some time later there is another one."""
        if not self.up.is_set():
            return
        self.up.clear()
        for task in self.inflight:
            task.cancel()
        await self.die()
        await asyncio.sleep(self.chance.choice((0, 0, 0.5, 4)))
        await self.boot()
        self.up.set()

    async def call(self, work: Work, chance: Random) -> Any:
        """Ask until there is an answer: the process may die meanwhile, and the answer may get lost on its way."""
        while True:
            await self.up.wait()
            task = asyncio.ensure_future(work(self.hall))
            self.inflight.add(task)
            await asyncio.wait({task})
            self.inflight.discard(task)
            error = None if task.cancelled() else task.exception()
            if task.cancelled() or chance.random() < 0.1:
                continue
            if error is None:
                return task.result()
            if not isinstance(error, Refused):
                raise error
            if error.code not in AGAIN:
                return error
            await asyncio.sleep(0.3)

    # -- the run ------------------------------------------------------------------------------------------

    async def live_through(self) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.unseen.append(context))
        self.who = [*await self.guests("Ann", "Bo"), *await self.accounts("Cy", "Di")]
        await self.boot()
        self.up.set()
        self.journal.deaths = self.chance.randrange(6)
        people = [Visitor(self, account, Random(f"{account} {self.chance.random()}")) for account in self.who]
        await asyncio.gather(*(person.visit(14) for person in people))
        await asyncio.sleep(self.chance.choice((30, 30, 700)))  # bots play on; perhaps tables are archived
        self.journal.deaths = 0
        await asyncio.gather(*self.crashes)
        await self.hall.host.stop()


@dataclass(slots=True)
class Visitor:
    """Somebody who opens tables, sits, plays, watches, leaves, and asks for rematches."""

    crowd: Crowd
    account: str
    chance: Random

    async def visit(self, steps: int) -> None:
        wishes = [self.open, self.sit, self.sit, self.rematch, self.watch, self.depute, self.leave, self.join]
        for _ in range(steps):
            await asyncio.sleep(self.chance.choice((0, 0.01, 0.4, 1.5)))
            await self.play()
            await self.chance.choice(wishes)()
        for _ in range(6):
            await self.play()

    def id(self) -> str:
        self.crowd.asked += 1
        return f"r{self.crowd.asked}"

    async def ask(self, kind: str, table: str, work: Callable[[Hall, str], Awaitable[Any]]) -> Any:
        """A request under an id; what is answered is remembered, to be held against what is true at the end."""
        id = self.id()
        answer = await self.crowd.call(lambda hall: work(hall, id), self.chance)
        if not isinstance(answer, Refused):
            self.crowd.acks.append(Ack(kind, self.account, table, id, answer))
        return answer

    async def tables(self, *statuses: str) -> list[str]:
        wanted = Filter(statuses=statuses, public_only=False)
        found = await self.crowd.call(lambda hall: hall.find(wanted, 0), self.chance)
        return [shown["id"] for shown in found]

    async def some(self, *statuses: str) -> str | None:
        found = await self.tables(*statuses)
        return self.chance.choice(found) if found else None

    # -- wishes -------------------------------------------------------------------------------------------

    async def open(self) -> None:
        game = self.chance.choice(("wards", "wards", "mana", "tenthousand", "aetharn"))
        bots = (WantedBot(1, "greedy"),) if self.chance.random() < 0.3 else ()
        seats = 2 if self.chance.random() < 0.5 or game in ("wards", "mana") else 3
        public = self.chance.random() < 0.8
        wanted = Opening(game, RULES[game], seats=seats, bots=bots, public=public)
        table = await self.ask("open", "", lambda hall, id: hall.open(self.account, replace(wanted, id=id)))
        await self.take_chair(table)

    async def sit(self) -> None:
        if (table := await self.some("lobby")) is not None:
            await self.take_chair(table)

    async def take_chair(self, table: str) -> None:
        seat = self.chance.choice((None, None, 0, 1))
        await self.ask("sit", table, lambda hall, id: hall.sit(self.account, table, seat, id=id))
        await self.ask("start", table, lambda hall, id: hall.ask(self.account, table, Start(), id))

    async def play(self) -> None:
        for table in await self.tables("playing", "asleep"):
            for _ in range(3):
                await self.move(table)

    async def move(self, table: str) -> None:
        shown = await self.crowd.call(lambda hall: hall.look(self.account, table), self.chance)
        choices = [] if isinstance(shown, Refused) else shown["choices"].get(str(shown["me"]), [])
        if choices:
            move = self.chance.choice(choices)
            await self.ask("act", table, lambda hall, id: hall.act(self.account, table, move, id))

    async def rematch(self) -> None:
        if (table := await self.some("over", "abandoned")) is not None:
            new = await self.ask("rematch", table, lambda hall, id: hall.rematch(self.account, table, id))
            if not isinstance(new, Refused):
                await self.take_chair(new)

    async def watch(self) -> None:
        if (table := await self.some()) is not None:
            ear = self.crowd.ear()
            self.crowd.listening.append(ear)
            await self.crowd.call(lambda hall: hall.watch(None, table, ear), self.chance)

    async def depute(self) -> None:
        if (table := await self.some("playing")) is not None:
            await self.ask("depute", table, lambda hall, id: hall.add_bot(self.account, table, None, "greedy", id))

    async def leave(self) -> None:
        if self.chance.random() < 0.6 and (table := await self.some("playing", "lobby")) is not None:
            await self.ask("leave", table, lambda hall, id: hall.leave(self.account, table, id))

    async def join(self) -> None:
        """A guest becomes an account."""
        if (await self.crowd.people.account(self.account)).guest and self.chance.random() < 0.4:
            await self.crowd.people.set_password(self.account, "correct horse")


def simulate(seed: int, journal: type[ShakyJournal] = ShakyJournal) -> Crowd:
    crowd = Crowd(seed, journal)
    run(crowd.live_through(), crowd.clock)
    return crowd
