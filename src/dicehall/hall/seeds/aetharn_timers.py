"""The turn's clock and the graces of a game, as somebody sees them who only knows the stored deadlines (A19).

Nothing here decides: a table's time is out when its journal says so. Ticks are made where they are wanted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol

from dicehall.hall.seeds.aetharn_events import Callback, Happened, Stop, Subscribers
from dicehall.hall.seeds.aetharn_shapes import AetharnPlayer, PlayerPresence, grace_deadline, turn_deadline
from dicehall.table.clocks import grace_ms
from dicehall.table.state import TableState

TICK_MS = 1_000


class Watched(Protocol):
    """What timers need to know of a game."""

    @property
    def state(self) -> TableState: ...
    @property
    def players(self) -> tuple[AetharnPlayer, ...]: ...
    def now(self) -> int: ...
    def subscribe(self, callback: Callback, *names: str) -> Stop: ...
    async def player_sat_down(self, player: str, chair: Hashable) -> None: ...
    async def player_stood_up(self, player: str) -> None: ...


@dataclass(slots=True, eq=False)
class TurnTimer:
    """Tells TimerTick for every whole second that is left of a turn, and TimerExpired at its end."""

    state: Callable[[], TableState]
    now: Callable[[], int]
    subscribers: Subscribers
    ticking: bool = False
    ring: asyncio.TimerHandle | None = None
    rings_at: int = 0  # ms
    deadline: int | None = None  # of the turn that ticks

    @property
    def time_limit(self) -> int | None:
        seconds = self.state().policy.clock_seconds
        return None if seconds is None else seconds * 1000

    @property
    def remaining(self) -> int | None:
        """In ms; None while no turn's clock runs."""
        deadline = turn_deadline(self.state())
        return None if deadline is None else max(0, deadline - self.now())

    @property
    def is_running(self) -> bool:
        return turn_deadline(self.state()) is not None

    def start(self) -> None:
        """Tick from now on, in every turn that has a clock."""
        self.ticking = True
        self.reset()

    def stop(self) -> None:
        self.ticking = False
        self.reset()

    def reset(self) -> None:
        """Look at the deadline again: whatever happened may have moved it."""
        deadline = turn_deadline(self.state()) if self.ticking else None
        if deadline == self.deadline:
            return
        self.deadline = deadline
        if self.ring is not None:
            self.ring.cancel()
        if deadline is not None:
            left = max(0, deadline - self.now())
            self.ring_at(deadline - max(0, left - 1) // TICK_MS * TICK_MS)

    def ring_at(self, at: int) -> None:
        self.rings_at = at
        wait = max(0, at - self.now()) / 1000
        self.ring = asyncio.get_running_loop().call_later(wait, self.rung)

    def rung(self) -> None:
        assert self.deadline is not None, "a timer without a deadline is cancelled"
        if self.now() < self.rings_at:  # the loop's clock and ours differ by a breath
            return self.ring_at(self.rings_at)
        left = self.deadline - self.rings_at
        if left <= 0:
            self.subscribers.tell("TimerExpired")
            return self.reset()  # the next turn begins at the deadline, though it is told later (C4)
        self.ring_at(self.rings_at + TICK_MS)
        self.subscribers.tell("TimerTick", time_remaining=left)


@dataclass(slots=True, eq=False)
class AbsenceTracker:
    """Tracks absent players and their remaining grace; reports GraceWarning and GracePeriodExpired."""

    game: Watched
    subscribers: Subscribers = field(default_factory=Subscribers)
    dispose: Stop = field(init=False)

    def __post_init__(self) -> None:
        self.dispose = self.game.subscribe(self._pass_on, "GraceWarning", "PlayerRemoved")

    def _pass_on(self, event: Happened) -> None:
        name = "GracePeriodExpired" if event.name == "PlayerRemoved" else event.name
        fields = {key: event[key] for key in ("player", "time_remaining") if key in event.fields}
        self.subscribers.tell(name, **fields)

    def subscribe(self, callback: Callback, *names: str) -> Stop:
        return self.subscribers.subscribe(callback, *names)

    @property
    def grace_period(self) -> int:
        return grace_ms(self.game.state)

    async def mark_absent(self, player: str) -> None:
        await self.game.player_stood_up(player)

    async def mark_present(self, player: str) -> bool:
        """Back in the chair they left; whether that was within the grace."""
        known = self._player(player)
        if known is None or known.presence is PlayerPresence.GONE:
            return False
        await self.game.player_sat_down(player, known.assigned_chair)
        return True

    def is_absent(self, player: str) -> bool:
        known = self._player(player)
        return known is not None and known.presence is PlayerPresence.ABSENT

    def get_remaining_grace(self, player: str) -> int | None:
        """In ms; None where no grace runs for them."""
        deadline = grace_deadline(self.game.state, player)
        return None if deadline is None else max(0, deadline - self.game.now())

    def _player(self, player: str) -> AetharnPlayer | None:
        return next((one for one in self.game.players if one.player == player), None)
