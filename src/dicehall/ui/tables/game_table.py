"""What a screen needs of a game, wherever it is hosted: where it stands, what happened since, and a way to act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from dicehall.core.game import AnyGame, Over, Seat, Seats
from dicehall.wire.record import Record


class Problem(Exception):
    """Something the program around a screen cannot do, in a sentence for people."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands, as this screen may see it."""

    view: Any
    turn: Seats  # whom the game waits for
    over: Over | None = None
    deadline: int | None = None  # ms since the epoch, by the table's clock


@dataclass(frozen=True, slots=True)
class NarratedEvent:
    """One event as it is on the wire, with the sentences for it."""

    event: Mapping[str, Any]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What one move did, and where the game stands after it."""

    events: tuple[NarratedEvent, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Rejection:
    """A move that was refused: nothing has changed."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong with the table itself, such as a lost connection; None: all is well again."""

    sentence: str | None


@dataclass(frozen=True, slots=True)
class Hint:
    """What the coach would do: the best choices with their chances, and how far to trust them."""

    best: str
    rows: tuple[tuple[str, str], ...]
    note: str


News: TypeAlias = Change | Rejection | Trouble | Hint


class GameTable(Protocol):
    @property
    def game(self) -> AnyGame: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def avatars(self) -> Sequence[str]: ...
    @property
    def people(self) -> Seats:
        """The seats that are played from this screen."""
        ...

    @property
    def seal(self) -> str | None:
        """What the dice of a game that is still to begin were sealed with, if they were."""
        ...

    @property
    def now(self) -> int:
        """The table's clock, by which deadlines are given."""
        ...

    def start(self) -> Position: ...
    def view_for(self, seat: Seat) -> Any: ...
    def choices(self, seat: Seat) -> tuple[Any, ...]: ...
    def act(self, seat: Seat, action: Any) -> None:
        """Ask for a move; what comes of it is in the news."""

    def move_bots(self) -> None:
        """Let the next bot of this table move, if one is to."""

    def news(self) -> list[News]:
        """What happened since this was last asked; never waits."""
        ...

    @property
    def hints(self) -> bool:
        """Whether hints are allowed here."""
        ...

    def ask_hint(self, seat: Seat) -> None:
        """Ask the coach; the answer is in the news."""

    def record(self) -> Future[Record]:
        """The record of the game so far, as everybody may read it."""
        ...

    def save(self, file: str) -> str:
        """Keep the game in a file from now on; what became of that, in a sentence."""
        ...

    def again(self) -> GameTable | None:
        """Another game with the same seats; None where that is not possible from here."""
        ...

    @property
    def has_bots(self) -> bool:
        """Whether bots move only when the screen lets them."""
        ...

    @property
    def leaving(self) -> str:
        """What leaving before the end means, in a sentence."""
        ...

    def leave(self) -> None:
        """Somebody left the game before its end."""

    def close(self) -> None: ...
