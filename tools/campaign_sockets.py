"""People on sockets, with the client library; some sit at a table, some only watch."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from dicehall.client.following import Update
from dicehall.client.hall import HallClient
from dicehall.client.network import SocketLine, dial_to
from dicehall.client.talk import Patience
from tools.campaign_known import Fault
from tools.campaign_person import Person
from tools.campaign_wire import Ledger, LoggedLine, Message, Wire

PATIENCE = Patience(first=0.1, most=1.0, gives_up=None, tries=30)


class SocketPerson(Person):
    def __init__(self, name: str, ledger: Ledger, chance: Random) -> None:
        super().__init__(name, ledger, chance)
        self.hall = HallClient(self.dial, secrets.token_bytes, PATIENCE)
        self.line: SocketLine | None = None
        self.here = asyncio.Event()
        self.here.set()
        self.told: dict[str, int] = {}  # the last number that the library told of a table

    async def dial(self) -> LoggedLine:
        await self.here.wait()
        line = await dial_to(self.ledger.hall.url)()
        assert isinstance(line, SocketLine)
        self.line = line
        return LoggedLine(line, Wire(self.log))

    def cut(self) -> None:
        if self.line is not None:
            self.line.socket.transport.abort()

    async def go_out(self, seconds: float) -> None:
        self.here.clear()
        self.cut()
        await asyncio.sleep(seconds)
        self.here.set()

    async def enter(self) -> None:
        await self.hall.__aenter__()
        await self.hall.guest(self.name)

    async def leave(self) -> None:
        await self.hall.__aexit__()

    async def open(self, game: str, rules: Mapping[str, int], seats: int, bots: Sequence[Message]) -> str:
        opened = await self.hall.open(game, rules=dict(rules), seats=seats, bots=bots)
        return str(opened["id"])

    async def look(self, table: str) -> Message:
        return await self.hall.look(table)

    async def watch(self, table: str) -> None:
        self.told[table] = 0
        await self.hall.watch(table, since=0, tell=self.tell)

    def tell(self, update: Update) -> None:
        if update.n != self.told[update.table] + 1:
            what = f"{self.name} was told update {update.n} after {self.told[update.table]}"
            self.ledger.faults.add(Fault("divergent_views", update.table, what))
        self.told[update.table] = update.n

    async def sit(self, table: str) -> None:
        await self.hall.sit(table, typed=self.chance.choice(["", "all my luck"]))

    async def start(self, table: str) -> None:
        await self.hall.start(table)

    async def act(self, table: str, move: Any) -> None:
        await self.hall.act(table, move)

    async def news(self, table: str, since: int) -> None:
        await self.hall.news(table, since)

    async def done_with(self, table: str) -> None:
        await self.hall.unwatch(table)


class Spectator(SocketPerson):
    """Somebody without an account who only watches."""

    async def enter(self) -> None:
        await self.hall.__aenter__()

    async def go_on(self, table: str, shown: Message) -> None:
        if self.chance.random() < 0.01:
            self.cut()
