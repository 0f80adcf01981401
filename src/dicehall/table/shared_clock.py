"""The clock of several processes on one database: the database's, read once a second. It never goes back.

Between two readings it runs by a clock of this machine that nobody can set, so the machine's own time of day does not
matter. Where the database's clock turns out to be behind, because it was set back or another server took over, this one
runs one percent slower until both agree; it never stands still, because bots and deadlines would stand still with it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from dicehall.table.hall_clock import NS_PER_MS, SLOWER


class SharedClock:
    def __init__(self, wall: Callable[[], int], elapsed: Callable[[], int]) -> None:
        """*wall* serves until the first reading; *elapsed* is never set, and runs on while the machine sleeps (ns)."""
        self._elapsed = elapsed
        self._read = elapsed()
        self._time = wall()
        self._ahead = self._time - self._read  # of the database's clock, compared with *elapsed*
        self._is_set = False
        self._lock = Lock()  # threads read it too

    def elapsed(self) -> int:
        """ms by a clock that nobody sets."""
        return self._elapsed() // NS_PER_MS

    def now(self) -> int:
        """Milliseconds since the epoch, never less than before."""
        with self._lock:
            read = self._elapsed()
            passed = max(0, read - self._read)
            late = max(0, self._time + passed - (read + self._ahead))
            self._time = max(read + self._ahead, self._time + passed - min(late, passed // SLOWER))
            self._read = read
            return self._time // NS_PER_MS

    def set(self, time: int, before: int, after: int) -> None:
        """The database showed *time*, at some moment between these two of *elapsed*.

        A reading that took long says little, unless it shows that the clock is far off. The first one counts whatever
        this machine believed before.
        """
        middle, doubt = (before + after) * NS_PER_MS // 2, (after - before) * NS_PER_MS // 2
        ahead = time * NS_PER_MS - middle
        with self._lock:
            if not self._is_set:
                self._read = self._elapsed()
                self._time = self._read + ahead
            if not self._is_set or abs(ahead - self._ahead) > doubt:
                self._ahead = ahead
            self._is_set = True

    def not_before(self, at: int) -> None:
        """Another process has had this time already."""
        with self._lock:
            self._time = max(self._time, at * NS_PER_MS)
