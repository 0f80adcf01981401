"""The careful half of a person: asks until answered, comes back after a lost connection, keeps what it saw."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from dicehall.core.game import Refused
from dicehall.table.coming import Answer
from dicehall.table.listening import encode_update
from tests.simulation.line import Line
from tests.simulation.messages import Connect, Fetch, Look, Message, Outcome, Resume, is_final

if TYPE_CHECKING:
    from dicehall.table.requests import Request
    from tests.simulation.world import World


class Gone(Exception):
    """This person has left for good."""


class Client:
    def __init__(self, world: World, name: str, table: str, account: str | None) -> None:
        self.world = world
        self.name = name
        self.table = table
        self.account = account
        self.chance = world.chance(f"person {name}")
        self.seen: list[bytes] = []  # update number n at place n - 1
        self.line: Line | None = None
        self.taken_over = 0
        self.pending: dict[str, asyncio.Future[Outcome | None]] = {}
        self.sent: dict[str, Message] = {}
        self.wakes: asyncio.Future[None] | None = None
        self.count = 0
        self.gone = False

    # -- waiting -----------------------------------------------------------------------------------

    async def rest(self, seconds: float) -> None:
        """Until something happens, at most this long."""
        if self.gone:
            raise Gone
        self.wakes = future = asyncio.get_running_loop().create_future()
        timer = self.world.later(seconds, self.nudge)
        await future
        timer.cancel()
        if self.gone:
            raise Gone

    def nudge(self) -> None:
        if self.wakes is not None and not self.wakes.done():
            self.wakes.set_result(None)

    async def pause(self, seconds: float) -> None:
        """So long, whatever happens."""
        till = self.world.clock.elapsed + seconds
        while (left := till - self.world.clock.elapsed) > 1e-6:
            await self.rest(left)

    # -- asking ------------------------------------------------------------------------------------

    async def ask(self, what: Request | Resume | Look | Fetch, after: float | None = None) -> Outcome:
        """Send the same request under the same id until there is an answer."""
        self.count += 1
        message = Message(self, self.table, str(self.count), what)  # type: ignore[arg-type]
        self.sent[message.id] = message
        while True:
            future: asyncio.Future[Outcome | None] = asyncio.get_running_loop().create_future()
            self.pending[message.id] = future
            self.world.network.to_host(message, after)
            timer = self.world.later((after or 0.0) + self.chance.uniform(0.8, 1.6), settle, future)
            outcome = await future
            timer.cancel()
            if outcome is not None and is_final(outcome):
                del self.pending[message.id]
                self.heard_answer(message, outcome)
                return outcome
            if self.gone:
                raise Gone
            after = None
            await self.pause(self.chance.uniform(0.05, 0.5))

    def answered(self, message: Message, outcome: Outcome) -> None:
        future = self.pending.get(message.id)
        if future is not None and not future.done():
            future.set_result(outcome)

    def heard_answer(self, message: Message, outcome: Outcome) -> None:
        if self.world.traced:
            self.world.note(f"{self.name} #{message.id} {message.what} -> {outcome!r:.120}")

    # -- connections ---------------------------------------------------------------------------------

    async def connect(self) -> None:
        """A new connection, tried until there is one; then all that was missed."""
        while True:
            self.count += 1
            line = Line(self, self.count)  # type: ignore[arg-type]
            message = Message(self, self.table, f"c{self.count}", Connect(line))  # type: ignore[arg-type]
            future = self.pending[message.id] = asyncio.get_running_loop().create_future()
            self.world.network.to_host(message)
            timer = self.world.later(1.5, settle, future)
            outcome = await future
            timer.cancel()
            del self.pending[message.id]
            if outcome is line and line.open:
                break
            line.ends()
            await self.pause(self.chance.uniform(0.1, 0.6))
        self.line = line
        await self.resume()

    async def resume(self) -> None:
        got = await self.ask(Resume(len(self.seen)))
        for shown in got if isinstance(got, list) else ():
            self.keep(shown["n"], encode_update(self.table, shown))

    def hears(self, line: Line, message: bytes) -> None:
        shown: dict[str, Any] = msgspec.json.decode(message)
        if "n" not in shown:
            self.taken_over += 1
        elif not self.keep(shown["n"], message):
            self.missed = True
        self.nudge()

    missed = False

    def keep(self, n: int, message: bytes) -> bool:
        """Keep an update in its place; a number that was seen before must say the same again."""
        if n <= len(self.seen):
            if self.seen[n - 1] != message:
                self.world.wrong("one story", self.table, f"{self.name} heard two different updates {n}")
        elif n == len(self.seen) + 1:
            self.seen.append(message)
        else:
            return False
        return True

    def lost_line(self, line: Line) -> None:
        if self.line is line:
            self.line = None
        self.nudge()

    def hang_up(self) -> None:
        if self.line is not None:
            self.line.ends()
            self.line = None

    def leave_for_good(self) -> None:
        self.gone = True
        self.hang_up()
        for future in self.pending.values():
            settle(future)
        self.nudge()


def settle(future: asyncio.Future[Any]) -> None:
    if not future.done():
        future.set_result(None)


def refused_as(outcome: Outcome, *codes: str) -> bool:
    return isinstance(outcome, Refused) and str(outcome.code) in codes


def number(outcome: Outcome) -> int | None:
    return outcome.n if isinstance(outcome, Answer) else None
