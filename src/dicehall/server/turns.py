"""What is handled in one turn of the event loop: a few frames of each socket, a few requests, and only so many in all.

Whoever sends more waits for a later turn, and addresses are served in turn. Between two turns the event loop accepts a
connection, reads other sockets, answers requests and rings alarms, so a flood costs everybody else a few milliseconds
at most. Sockets and requests have budgets of their own: a flood of the one kind does not make the other wait.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Protocol
from weakref import WeakKeyDictionary, ref

FRAMES_PER_SLICE = 32  # of one socket, in one turn
BYTES_PER_SLICE = 64 * 1024  # of one socket, in one turn; a frame that has begun is handled whole
FRAMES_PER_TURN = 256  # of all sockets
# Of all connections: begun, or pieces of one that are parsed. In one turn only one new connection is accepted, so
# newcomers wait this long for everybody who connected before them.
REQUESTS_PER_TURN = 4


class Reader(Protocol):
    """A connection with something that waits to be handled."""

    @property
    def source(self) -> str:
        """The address it comes from, as connections are counted."""
        ...

    def have_turn(self) -> None: ...


class Turns:
    """A budget of one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, per_turn: int, per_slice: int) -> None:
        self.loop = ref(loop)
        self.per_turn, self.per_slice = per_turn, per_slice
        self.waiting: OrderedDict[str, deque[Reader]] = OrderedDict()  # by address; the next one first
        self.left = per_turn
        self.scheduled = False

    def allowed(self) -> int:
        """How much a connection may handle now."""
        return min(self.left, self.per_slice)

    def use(self, count: int) -> None:
        self.left -= count
        if not self.scheduled:
            self.schedule()

    def add(self, reader: Reader) -> None:
        self.waiting.setdefault(reader.source, deque()).append(reader)
        if not self.scheduled:
            self.schedule()

    def pop(self) -> Reader:
        """The next that waits. Its address goes behind all others."""
        source, readers = self.waiting.popitem(last=False)
        reader = readers.popleft()
        if readers:
            self.waiting[source] = readers
        return reader

    def schedule(self) -> None:
        loop = self.loop()
        if loop is not None:
            self.scheduled = True
            loop.call_soon(self.next_turn)

    def next_turn(self) -> None:
        """A new budget: half of it for those that wait, each once, the rest for those that were quiet until now."""
        self.scheduled = False
        self.left = self.per_turn
        for _ in range(sum(map(len, self.waiting.values()))):
            if self.left <= self.per_turn // 2:
                break
            self.pop().have_turn()
        if self.waiting and not self.scheduled:
            self.schedule()


FRAMES: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()
REQUESTS: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()


def frame_turns(loop: asyncio.AbstractEventLoop) -> Turns:
    """The budget of all sockets."""
    if loop not in FRAMES:
        FRAMES[loop] = Turns(loop, FRAMES_PER_TURN, FRAMES_PER_SLICE)
    return FRAMES[loop]


def request_turns(loop: asyncio.AbstractEventLoop) -> Turns:
    """The budget of all HTTP requests."""
    if loop not in REQUESTS:
        REQUESTS[loop] = Turns(loop, REQUESTS_PER_TURN, 1)
    return REQUESTS[loop]
