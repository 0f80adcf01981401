"""One life of the host: a process that answers messages until it dies, and then all its memory is gone."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine
from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from dicehall.bots.levels import Bot, bots_for
from dicehall.core.game import AnyGame, Refused, Seat
from dicehall.games import catalogue
from dicehall.launch.wiring import ChainDice, SealedBox
from dicehall.table.host import Host, Parts
from dicehall.table.ports import JournalError
from dicehall.table.record import record_for
from dicehall.table.requests import Code, Sit
from dicehall.table.story import story
from dicehall.table.updates import audience
from tests.simulation.journal import FaultyJournal
from tests.simulation.messages import Connect, Copy, Fetch, Fetched, Look, Looked, Message, Outcome, Resume

if TYPE_CHECKING:
    from tests.simulation.line import Line
    from tests.simulation.world import World

GAMES = catalogue()
OWNER: contextvars.ContextVar[Process | None] = contextvars.ContextVar("the process a task belongs to", default=None)


@cache
def dice_of(secret: bytes) -> ChainDice:
    return SealedBox().dice(secret)


@cache
def bot_of(game: AnyGame, level: str) -> Bot:
    return bots_for(game)[level]


class CheapBox(SealedBox):
    """Sealed dice whose chains are worked out once: a few secrets serve all seeds."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def secret(self) -> bytes:
        return bytes([self.chance.randrange(40)]) * 32

    def dice(self, secret: bytes) -> ChainDice:
        return dice_of(secret)


class Bots:
    async def choose(self, game: Any, level: str, view: Any, me: Seat, choices: Any, seed: str) -> Any:
        return bot_of(game, level)(view, me, choices, Random(seed))


class Process:
    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.name = f"p{number}"
        self.alive = True
        self.ready = False
        self.tasks: list[asyncio.Task[Any]] = []
        self.lines: dict[str, Line] = {}
        self.context = contextvars.copy_context()
        self.context.run(OWNER.set, self)
        self.journal = FaultyJournal(self)
        box = CheapBox(world.chance(f"box {self.name}"))
        parts = Parts(self.journal, world.clock, box, Bots(), GAMES, self.name, self.frozen)
        self.host = Host(parts)
        self.run(self.boot())

    def run(self, work: Coroutine[Any, Any, Any]) -> None:
        """A task of this process: it ends with it."""
        self.context.run(asyncio.create_task, work)

    async def boot(self) -> None:
        while True:
            try:
                await self.host.start()
                break
            except JournalError:
                await asyncio.sleep(0.5)
        self.ready = True
        self.world.is_up(self)

    def frozen(self, table: str, broken: Exception) -> None:
        self.world.wrong("journals can be folded", table, repr(broken))

    # -- dying -----------------------------------------------------------------------------------

    def crash(self, why: str, back_in: float | None = None) -> None:
        """All memory and tasks vanish, and connections end."""
        if not self.alive:
            return
        self.world.note(f"{self.name} dies: {why}")
        self.stumbles()
        self.alive = self.ready = False
        me = asyncio.current_task()
        for task in self.tasks:
            if task is not me:
                task.cancel()
        for line in tuple(self.lines.values()):
            line.ends(at_host=False)
        self.world.is_down(self, back_in)

    def die(self, why: str, back_in: float | None = None) -> None:
        """Die in the middle of what the process is doing right now."""
        self.crash(why, back_in)
        raise asyncio.CancelledError

    def stumbles(self) -> None:
        """No task of a host may end with an error that nobody has thought of."""
        for task in self.tasks:
            broken = task.exception() if task.done() and not task.cancelled() else None
            if broken is not None and not isinstance(broken, Refused | JournalError):
                self.world.wrong("the host never stumbles", "", repr(broken))

    # -- answering -------------------------------------------------------------------------------

    def take(self, message: Message) -> None:
        if self.ready:
            self.run(self.handle(message))

    async def handle(self, message: Message) -> None:
        copy = Copy(message, self.world.moment(), self.world.clock.now())
        self.world.copies.append(copy)
        copy.outcome = outcome = await self.outcome(message)
        copy.done = self.world.moment()
        self.world.network.to_client(message, outcome)

    async def outcome(self, message: Message) -> Outcome:
        try:
            return await self.answer(message)
        except Refused as refused:
            return refused

    async def answer(self, message: Message) -> Outcome:
        host, table, account = self.host, message.table, message.person.account
        match message.what:
            case Connect(line):
                return await self.connect(message, line)
            case Resume(since):
                return await host.updates(table, account, since)
            case Look():
                state = (await host.look(table)).state
                seat = audience(state, account)
                return Looked(state.seq, seat, state.game.view(state.position, seat) if state.sitting else None)
            case Fetch():
                seat = audience((await host.reach(table)).state, account)
                told = list(story(table, await self.rows(table), GAMES))
                return Fetched(told[-1].seq, seat, record_for(told, seat))
            case Sit() as sit:
                mine = message.person.line
                here = mine is not None and mine.process is self and mine.open
                asked = replace(sit, conn=mine.id if here and mine else None)
                return await host.ask(table, asked, account, message.id)
            case request:
                return await host.ask(table, request, account, message.id)

    async def rows(self, table: str) -> Any:
        try:
            return await self.journal.rows(table)
        except JournalError as trouble:
            raise Refused(Code.STORE_UNAVAILABLE, str(trouble)) from trouble

    async def connect(self, message: Message, line: Line) -> Outcome:
        """What a server does with a socket: it is closed where the table cannot be reached."""
        line.attach(self)
        try:
            await self.host.connect(message.table, line, message.person.account)
        except Refused:
            line.ends()
            raise
        if not line.open:  # it broke before it was there
            self.lost(line)
        return line

    def lost(self, line: Line) -> None:
        """The end of a connection reaches the host."""
        if self.alive and self.lines.pop(line.id, None) is not None:
            self.context.run(self.host.disconnect, line.person.table, line.id)
