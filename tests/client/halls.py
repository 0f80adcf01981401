"""Halls for tests of the client: one in this process, with lines that can be made to break."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

from dicehall.client.hall import HallClient
from dicehall.client.lines import Dial, Line, LineClosed
from dicehall.client.talk import Patience
from dicehall.games import catalogue
from dicehall.launch.serving import Running, put_together
from dicehall.server.parts import Settings
from dicehall.store.sqlite import SqliteJournal

QUICK = Patience(first=0.001, most=0.01, gives_up=10)


@asynccontextmanager
async def open_hall(folder: Path) -> AsyncIterator[Running]:
    running = put_together(SqliteJournal(str(folder / "hall.db")), catalogue(), Settings())
    await running.start()
    try:
        yield running
    finally:
        await running.stop()


def awaited(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that runs on an event loop of its own, and not for ever."""

    @wraps(test)
    def run(*args: Any, **named: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **named), 60))

    return run


async def play(hall: HallClient, table: str, choose: random.Random) -> dict[str, Any]:
    """Do anything that may be done, till the game is over; says how the table stands then."""
    while True:
        shown = await hall.look(table)
        if shown["over"]:
            return shown
        choices = [choice for choice in shown["choices"].get(str(shown["me"]), []) if choice != "fold"]
        if choices:
            await hall.act(table, choose.choice(choices))
        else:
            await hall.news(table, shown["n"])


def client(dial: Dial) -> HallClient:
    return HallClient(dial, secrets.token_bytes, QUICK)


@dataclass(slots=True)
class BreakingLine:
    """A line that breaks after so many messages: before one is sent, or after, so that nobody knows."""

    line: Line
    left: int
    lose_sent: bool
    broken: bool = False

    async def send(self, text: bytes) -> None:
        self.left -= 1
        if self.left < 0 and not self.lose_sent:
            await self.snap()
        await self.line.send(text)
        if self.left < 0:
            await self.snap()

    async def receive(self) -> bytes:
        message = await self.line.receive()
        if self.broken:  # what was under way is lost
            raise LineClosed("broken")
        return message

    async def snap(self) -> None:
        self.broken = True
        await self.line.close()
        raise LineClosed("broken")

    async def close(self) -> None:
        await self.line.close()


@dataclass(slots=True)
class BreakingLines:
    """A dial whose lines break again and again."""

    dial: Dial
    chance: random.Random
    dialled: int = 0
    lines: list[BreakingLine] = field(default_factory=list)

    async def __call__(self) -> BreakingLine:
        self.dialled += 1
        if self.chance.random() < 0.2:
            raise LineClosed("nobody there")
        line = BreakingLine(await self.dial(), self.chance.randrange(3, 14), self.chance.random() < 0.5)
        self.lines.append(line)
        return line
