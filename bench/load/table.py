"""A table under load: two lines, whose turn it is by what they heard, and when each move was sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from bench.load.line import Line

HOLD_AT = 1_000_000  # points on the pile: nobody holds, so nobody wins while it is measured


@dataclass(slots=True)
class Tally:
    """What all tables of a server did in one phase."""

    keen: bool = False  # whether whoever is to move does so at once
    latencies: list[float] = field(default_factory=list)  # s, from sending a move to hearing what it did
    watched: int = 0  # messages that spectators heard
    refused: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Position:
    n: int
    turn: int
    pile: int


class Dialect(Protocol):
    """How a server is spoken to."""

    name: str

    async def open(self, number: int) -> Table: ...
    async def watch(self, table: Table, number: int) -> Line: ...


@dataclass(slots=True, eq=False)
class Table:
    id: str
    lines: Sequence[Line]
    tally: Tally
    written: Callable[[int, str, int], bytes]  # a seat's move on position n, as it goes over the line
    position: Position
    sent: list[float] = field(default_factory=lambda: [0.0, 0.0])
    numbers: list[int] = field(default_factory=lambda: [0, 0])  # of the last update each seat heard

    @property
    def idle(self) -> bool:
        return not any(self.sent) and self.numbers[0] == self.numbers[1]

    def move(self, at: float) -> None:
        position = self.position
        self.sent[position.turn] = at
        word = "hold" if position.pile >= HOLD_AT else "roll"
        self.lines[position.turn].send(self.written(position.turn, word, position.n))

    def updated(self, seat: int, position: Position) -> None:
        """A seat hears what a move did: after sending one it is always its own."""
        if position.n > self.position.n:
            self.position = position
        self.numbers[seat] = position.n
        if self.sent[seat]:
            self.tally.latencies.append(perf_counter() - self.sent[seat])
            self.sent[seat] = 0.0
        if self.tally.keen and position.turn == seat:
            self.move(perf_counter())

    def passed(self, seat: int, n: int) -> None:
        """A seat hears of something that was no move."""
        self.numbers[seat] = n
        if n > self.position.n:
            self.position = Position(n, self.position.turn, self.position.pile)
