"""When requests reached this process. That time decides whether they were in time, however long they wait afterwards.

A request may wait in many places before its table sees it: behind others of its socket, for its token to be looked up,
for the table to be loaded, or in the kernel while the event loop is busy. The doors stamp it first; here is known which
stamped requests are still on their way, so that no deadline takes effect before an act that was in time.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass, field

from dicehall.table.ports import Clock

ANYBODY = ""  # whose request it is, until its token has been looked up
HOLD_MS = 5_000  # how long after a deadline an act that was in time is waited for
TICK_S = 0.05
STALL_MS = 150  # a tick that comes later than this means that the event loop was busy
LONGEST_MS = 10_000  # a longer silence is an outage, not a stall


@dataclass(slots=True, eq=False)
class Arrival:
    """A request on its way to its table."""

    at: int
    account: str
    arrivals: Arrivals

    def belongs_to(self, account: str) -> None:
        """Its token has been looked up."""
        if self in self.arrivals.on_their_way.get(self.account, ()):
            self.done()
            self.account = account
            self.arrivals.add(self)

    def done(self) -> None:
        """It has reached its table, or its end."""
        others = self.arrivals.on_their_way.get(self.account)
        if others is not None:
            others.discard(self)
            if not others:
                del self.arrivals.on_their_way[self.account]


current: ContextVar[Arrival | None] = ContextVar("current", default=None)


@dataclass(slots=True)
class Arrivals:
    clock: Clock
    on_their_way: dict[str, set[Arrival]] = field(default_factory=dict)
    ticked: int | None = None  # when the event loop last had time, if that is watched
    stalled: int | None = None  # when it last had time before a stall that has only just ended

    def now(self) -> int:
        """The arrival time of what is read now: data from a stall may have come at its beginning."""
        now = self.clock.now()
        if self.stalled is not None:
            return self.stalled
        if self.ticked is not None and STALL_MS < now - self.ticked < LONGEST_MS:
            return self.ticked
        return now

    def expect(self, at: int, account: str | None) -> Arrival:
        arrival = Arrival(at, account or ANYBODY, self)
        self.add(arrival)
        return arrival

    def add(self, arrival: Arrival) -> None:
        self.on_their_way.setdefault(arrival.account, set()).add(arrival)

    def expected(self, account: str, before: int) -> bool:
        """Whether a request of this account that arrived before this time has not reached its table yet."""
        if not self.on_their_way:
            return False
        return any(arrival.at < before for key in (account, ANYBODY) for arrival in self.on_their_way.get(key, ()))

    def tick(self) -> None:
        now = self.clock.now()
        if self.ticked is not None and STALL_MS < now - self.ticked < LONGEST_MS:
            self.stalled = self.ticked
        self.ticked = now

    async def keep_ticking(self) -> None:
        """Notice when the event loop was busy: then all sockets are read before anything counts as late."""
        while True:
            self.tick()
            if self.stalled is not None:
                for _ in range(3):
                    await asyncio.sleep(0)
                self.stalled = None
            await asyncio.sleep(TICK_S)


def received_at(now: int) -> int:
    """When the current request reached this process; it no longer counts as on its way."""
    arrival = current.get()
    if arrival is None:
        return now
    arrival.done()
    return min(now, arrival.at)
