"""Whose frames are handled in one turn of the event loop: a few of each socket, and only so many in all.

Whoever sends more waits for a later turn, behind all others that wait. Between two turns the event loop reads other
sockets, answers requests and rings alarms, so a flood costs everybody else a few milliseconds at most.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol
from weakref import WeakKeyDictionary, ref

FRAMES_PER_SLICE = 32  # of one socket, in one turn
BYTES_PER_SLICE = 64 * 1024  # of one socket, in one turn; a frame that has begun is handled whole
FRAMES_PER_TURN = 256  # of all sockets


class Reader(Protocol):
    """A socket with frames that wait to be handled."""

    def have_turn(self) -> None: ...


class Turns:
    """The budget of one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = ref(loop)
        self.waiting: deque[Reader] = deque()
        self.left = FRAMES_PER_TURN
        self.scheduled = False

    def allowed(self) -> int:
        """How many frames a socket may handle now."""
        return min(self.left, FRAMES_PER_SLICE)

    def use(self, frames: int) -> None:
        self.left -= frames
        if not self.scheduled:
            self.schedule()

    def add(self, reader: Reader) -> None:
        self.waiting.append(reader)
        if not self.scheduled:
            self.schedule()

    def schedule(self) -> None:
        loop = self.loop()
        if loop is not None:
            self.scheduled = True
            loop.call_soon(self.next_turn)

    def next_turn(self) -> None:
        """A new budget: half of it for those that wait, each once, the rest for those that were quiet until now."""
        self.scheduled = False
        self.left = FRAMES_PER_TURN
        for _ in range(len(self.waiting)):
            if self.left <= FRAMES_PER_TURN // 2:
                break
            self.waiting.popleft().have_turn()
        if self.waiting and not self.scheduled:
            self.schedule()


TURNS: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()


def turns_of(loop: asyncio.AbstractEventLoop) -> Turns:
    if loop not in TURNS:
        TURNS[loop] = Turns(loop)
    return TURNS[loop]
