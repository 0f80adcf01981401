"""People who play over the network: what they do is the same whichever door they use."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from dicehall.client.errors import Refused, UnfairDice
from tools.campaign_known import Fault, Out
from tools.campaign_pipe import now
from tools.campaign_wire import Ledger, Log, Message

HEARD_S = 30.0  # by then everybody has heard the end of a game
OVER = ("over", "abandoned")
NEVER = 1 << 60  # ms


class Person(ABC):
    """Somebody with a door of their own. The *leader* of a table opens it and says when to start."""

    def __init__(self, name: str, ledger: Ledger, chance: Random) -> None:
        self.name = name
        self.ledger = ledger
        self.chance = chance
        self.log = Log(name, ledger)
        self.drowsy = chance.random() < 0.15

    @abstractmethod
    async def enter(self) -> None:
        """Come into the hall, as somebody new."""

    @abstractmethod
    async def leave(self) -> None: ...
    @abstractmethod
    async def open(self, game: str, rules: Mapping[str, int], seats: int, bots: Sequence[Message]) -> str: ...
    @abstractmethod
    async def look(self, table: str) -> Message: ...
    @abstractmethod
    async def watch(self, table: str) -> None: ...
    @abstractmethod
    async def sit(self, table: str) -> None: ...
    @abstractmethod
    async def start(self, table: str) -> None: ...
    @abstractmethod
    async def act(self, table: str, move: Any) -> None: ...
    @abstractmethod
    async def news(self, table: str, since: int) -> None:
        """Wait until something happened after number *since*."""

    @abstractmethod
    async def done_with(self, table: str) -> None:
        """The game is over and heard to its end."""

    @abstractmethod
    def cut(self) -> None:
        """Lose the connection, if there is one."""

    @abstractmethod
    async def go_out(self, seconds: float) -> None:
        """Be silent for so long."""

    async def in_lobby(self, table: str, shown: Message) -> None:
        if shown["me"] is None:
            await self.sit(table)
        elif not shown["asks_for_words"] and all(seat["name"] for seat in shown["seats"]):
            await self.start(table)

    # -- playing --------------------------------------------------------------------------------------

    async def play(self, table: str) -> None:
        await self.watch(table)
        try:
            while (shown := await self.look(table))["phase"] not in OVER:
                with suppress(Refused):  # somebody was quicker, or the clock
                    await self.go_on(table, shown)
                with suppress(TimeoutError):  # not wait_for, which may swallow the cancelling of this task
                    async with asyncio.timeout(self.chance.uniform(0.3, 3.0)):
                        await self.news(table, shown["n"])
            await self.hear_the_end(table, shown["n"])
            await self.done_with(table)
        except UnfairDice as unfair:
            self.ledger.faults.add(Fault("redrawn_dice", table, f"{self.name}: {unfair}"))

    async def hear_the_end(self, table: str, last: int) -> None:
        try:
            async with asyncio.timeout(HEARD_S):
                while self.log.ear(table).last < last:
                    await self.news(table, self.log.ear(table).last)
        except TimeoutError:
            self.ledger.faults.add(Fault("divergent_views", table, f"{self.name} never heard the end"))

    async def go_on(self, table: str, shown: Message) -> None:
        if shown["phase"] == "lobby":
            return await self.in_lobby(table, shown)
        whim = self.chance.random()
        choices = shown["choices"].get(str(shown["me"]), [])
        if self.ledger.hurry:
            if choices:
                await self.act(table, self.choose(choices))
        elif whim < 0.004:
            await self.be_away(table)
        elif whim < 0.015:
            self.cut()
        elif choices:
            await self.take_turn(table, shown, choices)

    async def take_turn(self, table: str, shown: Message, choices: Sequence[Any]) -> None:
        whim = self.chance.random()
        if whim < (0.3 if self.drowsy else 0.03):
            return await asyncio.sleep(self.chance.uniform(1, 3))  # asleep at the table: time may run out
        if self.chance.random() < 0.05 and shown["deadline"] is not None:
            await asyncio.sleep(max(0.0, (shown["deadline"] - now()) / 1000 + self.chance.uniform(-0.25, 0.1)))
        else:
            await asyncio.sleep(self.chance.uniform(0.0, 0.1))
        await self.act(table, self.choose(choices))

    def choose(self, choices: Sequence[Any]) -> Any:
        """Anything but giving up."""
        return self.chance.choice([choice for choice in choices if choice != "fold"] or choices)

    async def be_away(self, table: str) -> None:
        """For longer than a lost connection may take to come back."""
        assert self.log.account is not None
        outs = self.ledger.tables[table].outs
        at = len(outs)
        outs.append(Out(self.log.account, now(), NEVER))
        await self.go_out(self.chance.uniform(4.5, 7.0))
        outs[at] = outs[at]._replace(till=now())
