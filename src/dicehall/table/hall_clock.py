"""The hall's clock: the time of day, but it never goes back (C4).

It starts from the wall clock and then runs by a clock that nobody can set, so that deadlines, sessions and limits do
not notice when the wall clock is set back. If the wall clock is set far forward, the hall's clock follows it, and the
host finds that there was an outage. A clock that is ahead of the wall clock, because the last run stored later times or
because the wall clock was set back, runs one percent slower until both agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

NS_PER_MS = 1_000_000
FOLLOW_NS = 10_000 * NS_PER_MS  # a wall clock that is this far ahead was set, or the machine stood still
SLOWER = 100  # while it is ahead, one part in this many is left out


@dataclass(slots=True, eq=False)
class HallClock:
    wall: Callable[[], int]  # ns since the epoch; may be set by anybody
    elapsed: Callable[[], int]  # ns since some moment; never set, and it runs on while the machine sleeps
    time: int = field(init=False)  # ns since the epoch
    read: int = field(init=False)  # what *elapsed* showed then
    lock: Lock = field(default_factory=Lock)  # threads read it too

    def __post_init__(self) -> None:
        self.time, self.read = self.wall(), self.elapsed()

    def now(self) -> int:
        """Milliseconds since the epoch, never less than before."""
        with self.lock:
            read, wall = self.elapsed(), self.wall()
            passed = max(0, read - self.read)
            ahead = max(0, self.time + passed - wall)
            self.time += passed - min(ahead, passed // SLOWER)
            self.read = read
            if wall - self.time > FOLLOW_NS:
                self.time = wall
            return self.time // NS_PER_MS

    def not_before(self, at: int) -> None:
        """Times up to *at* were given out by an earlier run."""
        with self.lock:
            self.time = max(self.time, at * NS_PER_MS)
