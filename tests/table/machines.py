"""Machines with troubles of their own: a wall clock that is set, an event loop that is kept busy."""

from __future__ import annotations

import asyncio
from typing import Any

from dicehall.table import acts
from dicehall.table.hall_clock import NS_PER_MS, HallClock
from dicehall.table.heartbeat import Heartbeat
from tests.table.hosting import World


class ClockedWorld(World):
    """A machine whose hall has the hall's clock on a wall clock that can be set."""

    def __init__(self) -> None:
        super().__init__()
        self.wall = self.clock
        self.new_clock()

    def new_clock(self) -> None:
        """A process that starts reads the wall clock."""
        wall, elapsed = self.wall.now, self.wall
        self.hall_clock = HallClock(lambda: wall() * NS_PER_MS, lambda: round(elapsed.elapsed * 1000) * NS_PER_MS)
        self.clock = self.hall_clock  # type: ignore[assignment]

    def parts_changed(self) -> dict[str, Any]:
        return {"not_before": self.hall_clock.not_before}


class ScriptedHeartbeat(Heartbeat):
    def start(self) -> None:
        """No thread beats in virtual time."""


class BusyWorld(World):
    """A process with a heartbeat, whose event loop can be kept busy."""

    def __init__(self, *, watched: bool = True) -> None:
        super().__init__()
        self.watched = watched  # whether the host knows of the heartbeat
        self.heartbeat = ScriptedHeartbeat(self.clock)

    def parts_changed(self) -> dict[str, Any]:
        return {"heartbeat": self.heartbeat if self.watched else None}

    async def beats(self) -> None:
        """What the thread does while the event loop is idle."""
        while True:
            self.heartbeat.beat()
            await asyncio.sleep(0.25)

    def busy(self, ms: int) -> None:
        """The event loop has no turn for so long, but the thread has."""
        for _ in range(ms // 250):
            self.clock.elapsed += 0.25
            self.heartbeat.beat()

    @property
    def restarts(self) -> int:
        return sum(isinstance(act, acts.Restarted) for act in self.acts())
