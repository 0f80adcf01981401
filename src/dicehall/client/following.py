"""Following one table: its updates in order and without gaps, whatever lines they come over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dicehall.client.errors import UnfairDice
from dicehall.client.sealed import DiceWatch

Message: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Update:
    """What one act did, as this account may hear it."""

    table: str
    n: int
    at: int
    events: Sequence[Message]
    rolls: Sequence[Message] = ()
    asks_for_words: bool = False


Tell: TypeAlias = Callable[[Update], None]


@dataclass(slots=True, eq=False)
class Following:
    table: str
    acts: Callable[[Update], None]  # what the client itself does about an update
    tell: Tell | None = None  # hears updates instead of whoever iterates over them
    n: int | None = None  # the last update that was told; None until the table was first seen
    early: dict[int, Message] = field(default_factory=dict)  # came before their turn
    told: asyncio.Queue[Update | Exception | None] = field(default_factory=asyncio.Queue)
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    dice: DiceWatch | None = None
    chair: int | None = None  # where I sit, once I do
    opened: bool = False  # whether I opened my words for the start that is coming
    ended: Exception | None = None

    def begin(self, shown: Message, since: int | None, missed: Sequence[Message]) -> None:
        """The table was seen, or seen again; what was missed since number *since* comes first."""
        self.dice = self.dice or DiceWatch(self.table, shown["seal"])
        if self.n is None:
            self.n = shown["n"] if since is None else since
        for update in missed:
            self.offer(update)
        self.go_on()

    def offer(self, update: Message) -> None:
        if self.n is None or update["n"] > self.n:
            self.early[update["n"]] = update

    def go_on(self) -> bool:
        """Deliver updates that are in order; returns whether any are missing in between."""
        if self.n is None:
            return False
        while (message := self.early.pop(self.n + 1, None)) is not None:
            self.n += 1
            self.say(message)
        self.early = {n: update for n, update in self.early.items() if n > self.n}
        return bool(self.early)

    def say(self, message: Message) -> None:
        rolls, asks = message.get("rolls", ()), message.get("asks_for_words", False)
        update = Update(self.table, message["n"], message["at"], message["events"], rolls, asks)
        if self.dice is not None:
            try:
                self.dice.check(message)
            except UnfairDice as unfair:
                self.end(unfair)
        self.acts(update)
        if self.tell is not None:
            self.tell(update)
        else:
            self.told.put_nowait(update)
        self.wake()

    def end(self, why: Exception | None) -> None:
        """End the updates and give listeners the reason."""
        self.ended = self.ended or why
        self.told.put_nowait(why)
        self.wake()

    def wake(self) -> None:
        self.moved.set()
        self.moved = asyncio.Event()

    async def news(self, since: int) -> int:
        """Wait for an update after *since*; returns the latest number."""
        while self.ended is None and (self.n is None or self.n <= since):
            await self.moved.wait()
        if self.ended is not None:
            raise self.ended
        return self.n or 0
