"""A heartbeat on its own thread, which distinguishes a busy event loop from a process that was stopped.

While the event loop is busy nobody is served, but the process lives: that is load, not an outage, and requests that
arrive meanwhile count from when they arrived. A process that is stopped, or a machine that is suspended, stops the
thread as well.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from dicehall.table.ports import Clock

BEAT_S = 0.25
STILL_MS = 1_000  # a thread may wait this long for its turn


@dataclass(slots=True, eq=False)
class Heartbeat:
    clock: Clock
    last: int = field(init=False)  # ms: when the thread last had a turn
    stills: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=64))  # when the process stood still
    stopped: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.last = self.clock.now()

    def start(self) -> None:
        threading.Thread(target=self.run, name="heartbeat", daemon=True).start()

    def stop(self) -> None:
        self.stopped.set()

    def run(self) -> None:
        self.last = self.clock.now()
        while not self.stopped.wait(BEAT_S):
            self.beat()

    def beat(self) -> None:
        before, self.last = self.last, self.clock.now()
        if self.last - before > STILL_MS:
            self.stills.append((before, self.last))

    def still_since(self, since: int, now: int) -> int:
        """For how many ms of this time the whole process was stopped."""
        known = [*self.stills, (self.last, now)] if now - self.last > STILL_MS else [*self.stills]
        return sum(max(0, min(till, now) - max(begin, since)) for begin, till in known)


@dataclass(slots=True, eq=False)
class LoopTime:
    """How long the event loop was busy while the process was alive."""

    clock: Clock
    heartbeat: Heartbeat
    tick_s: float = 0.25
    ticked: int = field(init=False)  # ms: when the event loop last had time
    lost: int = 0  # ms, since the last pulse

    def __post_init__(self) -> None:
        self.ticked = self.clock.now()

    def tick(self) -> int:
        """To be called by the event loop every *tick_s* seconds; how long it was busy since the last pulse."""
        now = self.clock.now()
        self.lost += self.busy(now)
        self.ticked = now
        return self.lost

    def busy(self, now: int) -> int:
        """How long the event loop has been busy now."""
        late = now - self.ticked - round(self.tick_s * 1000)
        return max(0, late - self.heartbeat.still_since(self.ticked, now))

    def lost_till(self, now: int) -> int:
        return self.lost + self.busy(now)
