"""What everybody who plays needs of a game, wherever it is hosted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dicehall.core.game import AnyGame, Awaited, Event, Over, Seat, Seats, Turn
from dicehall.wire.record import Record


class Playing(Protocol):
    @property
    def game(self) -> AnyGame: ...
    @property
    def names(self) -> Sequence[str]: ...
    def awaited(self) -> Awaited: ...
    def view(self, seat: Seat | None) -> Any: ...
    def choices(self, seat: Seat) -> tuple[Any, ...]: ...
    def begin(self) -> tuple[Event, ...]:
        """Take the places; what happens before anybody moves."""
        ...

    def act(self, seat: Seat, action: Any) -> tuple[Event, ...]:
        """Make a move and hear what it did, or be Refused."""
        ...

    def hinted(self, seat: Seat) -> None:
        """Write down that a seat took a hint."""

    def record(self) -> Record: ...


def to_act(playing: Playing) -> Seats:
    """Whom the game waits for; nobody once it is over."""
    awaited = playing.awaited()
    return awaited.seats if isinstance(awaited, Turn) else frozenset()


def ended(playing: Playing) -> Over | None:
    awaited = playing.awaited()
    return awaited if isinstance(awaited, Over) else None
