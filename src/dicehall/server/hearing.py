"""The messages of one socket, answered in order; a move does not need a task of its own."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dicehall.table.arrivals import Arrival

MOST_WAITING = 32  # messages; then nothing more is read for a while

Acting = tuple[Any, asyncio.Future[Any]]  # the id of a message, and the table's answer to come


@dataclass(slots=True, eq=False)
class Hearing:
    answer: Callable[[bytes, Arrival], Coroutine[Any, Any, bytes]]  # to any message
    act: Callable[[bytes, int], Acting | None]  # the quick way; None where it is no move, or a special one
    acted: Callable[[Any, asyncio.Future[Any]], bytes]  # the answer to a move
    push: Callable[[bytes], None]
    hold: Callable[[bool], None]
    expect: Callable[[int], Arrival]  # a message that arrived at this time, and will be a while on its way
    waiting: deque[tuple[bytes, Arrival]] = field(default_factory=deque)
    busy: bool = False
    held: bool = False
    arrival: Arrival | None = None  # of the message that is being answered
    task: asyncio.Task[bytes] | None = None
    done: asyncio.Event | None = None  # where somebody waits until all is answered

    def hear(self, message: bytes, arrived: int) -> None:
        if not self.busy:
            return self.begin(message, arrived, None)
        self.waiting.append((message, self.expect(arrived)))
        if len(self.waiting) >= MOST_WAITING and not self.held:
            self.held = True
            self.hold(True)

    def go_on(self) -> None:
        if self.waiting:
            message, arrival = self.waiting.popleft()
            self.begin(message, arrival.at, arrival)
        elif self.done is not None:
            self.done.set()

    def begin(self, message: bytes, arrived: int, arrival: Arrival | None) -> None:
        self.busy = True
        acting = self.act(message, arrived)
        if acting is not None:
            if arrival is not None:
                arrival.done()
            acting[1].add_done_callback(partial(self.moved, acting[0]))
        else:
            self.arrival = arrival or self.expect(arrived)
            self.task = asyncio.create_task(self.answer(message, self.arrival))
            self.task.add_done_callback(self.answered)

    def moved(self, id: Any, future: asyncio.Future[Any]) -> None:
        self.tell(self.acted(id, future))

    def answered(self, task: asyncio.Task[bytes]) -> None:
        if self.arrival is not None:
            self.arrival.done()
            self.arrival = None
        if not task.cancelled():
            self.tell(task.result())

    def tell(self, message: bytes) -> None:
        self.push(message)
        self.busy = False
        if self.held and not self.waiting:
            self.held = False
            self.hold(False)
        self.go_on()

    async def rest(self) -> None:
        """Wait until everything received is answered."""
        while self.busy:
            self.done = asyncio.Event()
            await self.done.wait()

    def stop(self) -> None:
        for _, arrival in self.waiting:
            arrival.done()
        self.waiting.clear()
        if self.task is not None:
            self.task.cancel()
