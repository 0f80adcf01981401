"""Dicehall's own protocol (docs/protocol.md), as far as two people at a table of Dice Wards need it."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from bench.load.line import Line, connect
from bench.load.table import Position, Table, Tally

RULES = {"goal": 1000, "turn_seconds": 600}  # nobody runs out of time while it is measured


class Event(msgspec.Struct):
    event: str
    seat: int = 0
    round_score: int = 0


class Update(msgspec.Struct):
    n: int
    events: list[Event]


MOVED = ("Rolled", "Lost", "Held")
UPDATE = msgspec.json.Decoder(Update)


@dataclass(slots=True, eq=False)
class Person:
    """Somebody at the other end, while things are asked one by one."""

    line: Line
    asked: dict[int, asyncio.Future[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.line.listen(self.hear)

    def hear(self, message: bytes) -> None:
        if message.startswith(b'{"re"'):
            answer = msgspec.json.decode(message)
            self.asked.pop(answer["re"]).set_result(answer)

    async def ask(self, do: str, **more: Any) -> Any:
        number = len(self.asked) + 1
        self.asked[number] = asyncio.get_running_loop().create_future()
        self.line.send(msgspec.json.encode({"id": number, "do": do, **more}))
        answer = await self.asked[number]
        if "error" in answer:
            raise RuntimeError(f"{do}: {answer['error']}")
        return answer["ok"]


@dataclass(slots=True, eq=False)
class Hall:
    port: int
    tally: Tally
    name: str = "dicehall"
    addresses: itertools.count[int] = field(default_factory=itertools.count)
    other_port: int | None = None  # of a second node, where every second seat is served

    async def come(self, seat: int = 0) -> Person:
        """A line from an address of its own: limits are per account and address."""
        number = next(self.addresses)
        port = self.port if self.other_port is None or seat == 0 else self.other_port
        line = await connect(port, "/ws", f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
        person = Person(line)
        await person.ask("hello", version=1)
        return person

    async def open(self, number: int) -> Table:
        people = [await self.come(0), await self.come(1)]
        for seat, person in enumerate(people):
            await person.ask("guest", name=f"Ann {number} {'AB'[seat]}")  # equal names would be numbered one by one
        table = (await people[0].ask("open", game="wards", rules=RULES))["id"]
        for person in people:
            await person.ask("sit", table=table)
        looked = await people[1].ask("look", table=table)
        lines = [person.line for person in people]
        opened = Table(table, lines, self.tally, writer(table), Position(looked["n"], looked["view"]["turn"][0], 0))
        for seat, line in enumerate(lines):
            line.listen(partial(self.hear, opened, seat))
        return opened

    async def watch(self, table: Table, number: int) -> Line:
        person = await self.come()
        await person.ask("watch", table=table.id)
        person.line.listen(self.glance)
        return person.line

    def hear(self, table: Table, seat: int, message: bytes) -> None:
        if message.startswith(b'{"re"'):
            if b'"error"' in message:
                self.tally.refused.append(message.decode())
        elif b'"n":' in message:
            update = UPDATE.decode(message)
            if update.events and update.events[-1].event in MOVED:
                table.updated(seat, read(update))
            else:  # clocks that were restarted, for example
                table.passed(seat, update.n)

    def glance(self, message: bytes) -> None:
        self.tally.watched += message.startswith(b'{"table"')


def writer(table: str) -> Any:
    """A move with ``once``, as every careful client sends it."""
    numbers = itertools.count(1)

    def written(seat: int, word: str, n: int) -> bytes:
        number = next(numbers)
        return (
            f'{{"id":{number},"do":"act","table":"{table}","move":"{word}","once":"b1946ac92492d234{number:08x}"}}'
        ).encode()

    return written


def read(update: Update) -> Position:
    last = update.events[-1]
    if last.event in ("Lost", "Held"):
        return Position(update.n, 1 - last.seat, 0)
    return Position(update.n, last.seat, last.round_score)
