"""What comes over one socket: answered in order, one message after the other, and a move without a task of its own."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any

MOST_WAITING = 32  # messages; then nothing more is read for a while

Acting = tuple[Any, asyncio.Future[Any]]  # the id of a message, and the table's answer to come


@dataclass(slots=True, eq=False)
class Hearing:
    answer: Callable[[bytes], Coroutine[Any, Any, bytes]]  # to any message
    act: Callable[[bytes], Acting | None]  # the quick way; None where it is no move, or a special one
    acted: Callable[[Any, asyncio.Future[Any]], bytes]  # the answer to a move
    push: Callable[[bytes], None]
    hold: Callable[[bool], None]
    waiting: deque[bytes] = field(default_factory=deque)
    busy: bool = False
    held: bool = False
    task: asyncio.Task[bytes] | None = None
    done: asyncio.Event | None = None  # where somebody waits until all is answered

    def hear(self, message: bytes) -> None:
        self.waiting.append(message)
        if not self.busy:
            self.go_on()
        elif len(self.waiting) >= MOST_WAITING and not self.held:
            self.held = True
            self.hold(True)

    def go_on(self) -> None:
        if not self.waiting:
            return self.done.set() if self.done is not None else None
        self.busy = True
        message = self.waiting.popleft()
        acting = self.act(message)
        if acting is not None:
            acting[1].add_done_callback(partial(self.moved, acting[0]))
        else:
            self.task = asyncio.create_task(self.answer(message))
            self.task.add_done_callback(self.answered)

    def moved(self, id: Any, future: asyncio.Future[Any]) -> None:
        self.tell(self.acted(id, future))

    def answered(self, task: asyncio.Task[bytes]) -> None:
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
        """Until all that came is answered."""
        while self.busy:
            self.done = asyncio.Event()
            await self.done.wait()

    def stop(self) -> None:
        self.waiting.clear()
        if self.task is not None:
            self.task.cancel()
