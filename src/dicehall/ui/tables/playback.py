"""Showing what happened at a pace people can follow: nothing is told before the dice that decide it have landed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.ui.tables.game_table import Change, NarratedEvent, Position

DICE_MS = 1000.0
EVENT_MS = 750.0
LINE_MS = 250.0
SLOW = frozenset({"EffectDone", "Fell", "EliminationScored", "RoundEnded", "PlayerBusted", "Lost", "HotDice"})
SPEEDS = {"normal": 1.0, "fast": 3.0, "instant": 1000.0}


@dataclass(frozen=True, slots=True)
class Beat:
    """One thing that is shown for a while: dice in the air, an event, or the position after a change."""

    ms: float
    narrated: NarratedEvent | None = None
    dice: tuple[int, ...] = ()
    position: Position | None = None


@dataclass(slots=True)
class Playback:
    reveal: Callable[[NarratedEvent], None]  # an event may be told now
    arrive: Callable[[Position], None]  # a change is told to its end
    queue: deque[Beat] = field(default_factory=deque)
    current: Beat | None = None
    elapsed: float = 0.0
    speed: float = 1.0

    @property
    def idle(self) -> bool:
        return self.current is None and not self.queue

    @property
    def progress(self) -> float:
        """How much of the current beat is over, from 0 to 1."""
        return min(1.0, self.elapsed / self.current.ms) if self.current and self.current.ms else 0.0

    def add(self, change: Change) -> None:
        self.queue.extend(beats(change))

    def advance(self, ms: float) -> None:
        left = ms * self.speed
        while self.current or self.queue:
            if self.current is None:
                self.begin(self.queue.popleft())
            assert self.current is not None
            needed = self.current.ms - self.elapsed
            if left < needed:
                self.elapsed += left
                return
            left -= needed
            self.finish(self.current)

    def begin(self, beat: Beat) -> None:
        self.current, self.elapsed = beat, 0.0
        if beat.narrated and not beat.dice:
            self.reveal(beat.narrated)

    def finish(self, beat: Beat) -> None:
        self.current, self.elapsed = None, 0.0
        if beat.narrated and beat.dice:
            self.reveal(beat.narrated)
        if beat.position is not None:
            self.arrive(beat.position)

    def skip(self) -> None:
        """Show the end of everything that is waiting at once."""
        self.advance(float("inf"))


def beats(change: Change) -> list[Beat]:
    shown = []
    for narrated in change.events:
        dice = dice_of(narrated.event)
        pause = EVENT_MS if narrated.event["event"] in SLOW else LINE_MS if narrated.lines else 0.0
        shown.append(Beat(DICE_MS if dice else pause, narrated, dice))
    return [*shown, Beat(0.0, position=change.position)]


def rolling_text(count: int) -> str:
    return "The die is rolling" if count == 1 else "The dice are rolling"


def dice_of(event: Any) -> tuple[int, ...]:
    """The faces of an event that tells a roll; none for any other."""
    if not str(event["event"]).endswith("Rolled"):
        return ()
    faces: int | Sequence[int] = event.get("face") or event.get("faces") or event.get("dice_values") or ()
    return (faces,) if isinstance(faces, int) else tuple(faces)
