"""One run: a hall on virtual time with its people, its faults and all that came of them, from one seed."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from dicehall.table.clocks import Kind, dues
from dicehall.table.ports import JournalError, Row, Taken
from tests.simulation.chronicle import Chronicle
from tests.simulation.disk import Disk
from tests.simulation.line import Line
from tests.simulation.messages import Copy
from tests.simulation.network import Network
from tests.simulation.person import Person
from tests.simulation.process import GAMES, OWNER, Process
from tests.simulation.setups import Setup, setups
from tests.simulation.weather import forecast, length
from tests.table.virtual import VirtualClock, VirtualLoop

CAP_S = 500.0  # after the storm; a run that is not at rest by then never will be


@dataclass(frozen=True, slots=True)
class Wrong:
    check: str
    table: str
    sentence: str


@dataclass(slots=True)
class Trouble:
    """An outage as the simulation knows it, on both axes of time."""

    kind: str
    since: float
    since_wall: int
    till: float = float("inf")
    till_wall: int = 1 << 60

    @property
    def ms(self) -> float:
        return max((self.till - self.since) * 1000, self.till_wall - self.since_wall)


class World:
    def __init__(self, seed: int, *, traced: bool = False) -> None:
        self.seed = seed
        self.traced = traced
        self.clock = VirtualClock()
        self.weather = forecast(self.chance("weather"))
        self.setups = setups(self.chance("tables"), self.chance("graces"))
        self.telling = self.chance("telling")
        self.blows = self.chance("blows")
        self.disk = Disk(self.stored)
        self.network = Network(self)
        self.chronicles: dict[str, Chronicle] = {}
        self.lines: dict[str, Line] = {}
        self.copies: list[Copy] = []
        self.troubles: list[Trouble] = []
        self.set_back: list[float] = []  # when the wall clock was set back
        self.moments = 0
        self.latest = 0  # that any clock has shown
        self.wrongs: list[Wrong] = []
        self.notes: list[tuple[float, str]] = []
        self.people: list[Person] = []
        self.process: Process | None = None
        self.processes = 0
        self.down: Trouble | None = None
        self.unreachable = False
        self.rested = False
        self.loop = VirtualLoop(self.clock)
        self.context = contextvars.copy_context()

    def chance(self, name: str) -> Random:
        """A stream of chance of its own for everybody, so that one does not disturb another."""
        return Random(f"{self.seed}/{name}")

    @property
    def stormy(self) -> bool:
        return self.clock.elapsed < self.weather.storm_s

    def later(self, seconds: float, what: Callable[..., Any], *words: Any) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, what, *words, context=self.context)

    def moment(self) -> int:
        self.moments += 1
        return self.moments

    def note(self, text: str) -> None:
        if self.traced:
            self.notes.append((self.clock.elapsed, text))

    def wrong(self, check: str, table: str, sentence: str) -> None:
        self.note(f"WRONG ({check}) {table}: {sentence}")
        self.wrongs.append(Wrong(check, table, sentence))

    def setup_of(self, table: str) -> Setup:
        return next(setup for setup in self.setups if setup.table == table)

    # -- what is stored ----------------------------------------------------------------------------

    def stored(self, row: Row) -> None:
        self.latest = max(self.latest, self.clock.now())
        chronicle = self.chronicles.setdefault(row.table, Chronicle(row.table, GAMES))
        try:
            chronicle.add(row, self.moment(), self.clock.elapsed, self.latest)
        except Exception as broken:
            self.wrong("journals can be folded", row.table, f"act {row.seq}: {broken!r}")
            raise asyncio.CancelledError from broken
        if self.traced:
            self.note(f"stored {row.table}/{row.seq} at {row.at} {row.account}#{row.id} {row.act.decode():.150}")

    # -- coming and going of the host ----------------------------------------------------------------

    def boot(self) -> None:
        self.processes += 1
        self.process = Process(self, self.processes)

    def is_up(self, process: Process) -> None:
        self.note(f"{process.name} is up")
        if self.down is not None:
            self.over(self.down)
            self.down = None

    def is_down(self, process: Process, back_in: float | None) -> None:
        self.process = None
        if self.down is None:
            self.down = self.trouble("crash")
        if back_in is None:
            back_in = length(self.blows) if self.stormy else 0.5
        self.later(back_in, self.boot)

    def trouble(self, kind: str) -> Trouble:
        self.note(f"trouble: {kind}")
        self.troubles.append(Trouble(kind, self.clock.elapsed, self.clock.now()))
        return self.troubles[-1]

    def over(self, trouble: Trouble) -> None:
        trouble.till, trouble.till_wall = self.clock.elapsed, self.clock.now()
        self.note(f"over: {trouble.kind} after {trouble.ms / 1000:.1f} s")

    # -- faults ------------------------------------------------------------------------------------

    async def storm(self) -> None:
        while self.stormy and self.weather.blows:
            await asyncio.sleep(self.blows.expovariate(1 / self.weather.every_s))
            if self.stormy:
                self.blow(self.blows.choice(self.weather.blows))

    def blow(self, kind: str) -> None:
        match kind:
            case "crash" if self.process is not None:
                self.process.crash("somebody pulled the plug")
            case "unreach" if not self.unreachable:
                self.unreachable = True
                self.later(length(self.blows), self.reach, self.trouble("out of reach"))
            case "forward":
                trouble = self.trouble("clock set forward")
                self.clock.skew += int(length(self.blows) * 1000)
                self.over(trouble)
            case "back":
                self.note("clock set back")
                self.latest = max(self.latest, self.clock.now())
                self.clock.skew -= int(length(self.blows) * 1000)
                self.set_back.append(self.clock.elapsed)
            case "suspend":
                trouble = self.trouble("suspended")
                self.clock.elapsed += length(self.blows)
                self.over(trouble)
            case "cut":
                for line in tuple(self.lines.values()):
                    if self.blows.random() < 0.5:
                        line.ends()

    def reach(self, trouble: Trouble) -> None:
        self.unreachable = False
        self.over(trouble)

    # -- the run -----------------------------------------------------------------------------------

    def task(self, loop: asyncio.AbstractEventLoop, work: Any, context: Any = None) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
        if (owner := OWNER.get()) is not None:
            owner.tasks.append(task)
        return task

    def run(self) -> None:
        self.loop.set_task_factory(self.task)
        self.loop.set_exception_handler(lambda loop, context: None)
        try:
            self.loop.run_until_complete(self.play())
        finally:
            if self.process is not None:
                self.process.stumbles()
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.run_until_complete(asyncio.sleep(0))
            self.loop.close()

    async def play(self) -> None:
        self.boot()
        living = [asyncio.create_task(self.storm())]
        for setup in self.setups:
            await self.open(setup)
            living += [asyncio.create_task(person.live()) for person in self.invite(setup)]
        while self.clock.elapsed < self.weather.storm_s + CAP_S and not self.wrongs and not self.rested:
            await asyncio.sleep(1.0)
            self.rested = all(task.done() for task in living) and self.at_rest()
        if self.seed % 4 == 0:  # long enough for those who left to be missed and removed
            await asyncio.sleep(75.0)
        for task in living:
            if task.done() and task.exception() is not None:
                raise AssertionError("The simulation itself is broken.") from task.exception()

    async def open(self, setup: Setup) -> None:
        """What the hall will do: open a table, and where nobody can say whether that worked, try again."""
        while setup.table not in self.chronicles:
            if self.process is not None and self.process.ready:
                self.process.run(self.try_to_open(self.process, setup))
            await asyncio.sleep(0.5)

    async def try_to_open(self, process: Process, setup: Setup) -> None:
        chosen: dict[str, Any] = {"seats": setup.seats, "drawn": setup.drawn, "bot_ms": setup.bot_ms}
        chosen["by"] = f"{setup.table}.p0"
        try:
            await process.host.open(setup.table, setup.game, **chosen)
        except (Taken, JournalError):
            return

    def invite(self, setup: Setup) -> list[Person]:
        people = [
            Person(self, f"{setup.table}.p{number}", setup.table, traits, sits=True, keeper=number == 0)
            for number, traits in enumerate(setup.people)
        ]
        people += [
            Person(self, f"{setup.table}.s{number}", setup.table, traits, sits=False)
            for number, traits in enumerate(setup.spectators)
        ]
        self.people += people
        return people

    def at_rest(self) -> bool:
        if self.stormy or self.process is None or not self.process.ready:
            return False
        return all(self.quiet(chronicle) for chronicle in self.chronicles.values())

    def quiet(self, chronicle: Chronicle) -> bool:
        state = chronicle.state
        if [due.kind for due in dues(state)] == [Kind.EMPTY]:
            return True
        return state.ended or self.disk.heads[state.id].deadline is None


def simulate(seed: int, *, traced: bool = False) -> World:
    world = World(seed, traced=traced)
    world.run()
    return world
