"""What is true of a table, as it follows from its journal and nothing else.

Its values are structs of msgspec, which change a field twenty times faster than dataclasses do.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from dicehall.core.game import AnyGame, Awaited, Dice, Event, Faces, Policy, Presence, Seat, Seats, Turn
from dicehall.core.throws import Throws
from dicehall.table import acts
from dicehall.table.acts import Act, Draw
from dicehall.table.chairs import Chair, Chairs, numbered

Phase: TypeAlias = Literal["lobby", "playing", "asleep", "over", "abandoned"]
NOBODY: Seats = frozenset()


class Clocks(Struct, frozen=True):
    """When the running clocks were started, in ms; None where none runs."""

    turn: int | None = None
    game: int | None = None
    words: int | None = None  # since when openings are asked for


class Cooldown(Struct, frozen=True):
    """How often somebody made a start fail, and until when they may not sit down again."""

    failures: int
    till: int


class TableState(Struct, frozen=True):
    id: str
    opened: acts.Opened
    game: AnyGame
    policy: Policy  # the game's, worked out once
    seq: int
    at: int
    phase: Phase = "lobby"
    chairs: Chairs = ()
    sitting: tuple[int, ...] = ()  # chair numbers as people sat when the game started
    position: Any = None  # the state of the game
    awaited: Awaited | None = None  # what the game waits for there
    clocks: Clocks = Clocks()
    rolls: int = 0  # stored so far, the draw of seats among them
    throws: Throws | None = None  # whose turn's dice fell, at a challenge
    drawn: Draw | None = None
    expired: frozenset[Seat] = frozenset()  # seats that ran out of time since anybody moved
    turns: int = 0  # turns started so far
    left: bool = False  # whether anybody ever stood up in the lobby
    happened: int = 0  # ms: when the game last went on; in a lobby, when the table was opened
    empty_since: int | None = None  # ms: since when no person is present in the lobby
    acted: int = 0  # ms: when a person last moved, or woke the table
    hinted: frozenset[Seat] = frozenset()  # seats that had a hint since the game last went on
    helped: bool = False  # whether anybody ever had a hint
    cooldowns: dict[str, Cooldown] = {}  # by account
    removed: frozenset[str] = frozenset()  # accounts that the opener removed from the lobby
    declined: dict[str, str] = {}  # who does not want this rematch: names by account

    @property
    def words(self) -> tuple[str, ...]:
        """What is mixed into the dice, in the order people sat."""
        sat = sorted(self.chairs, key=lambda chair: self.sitting.index(chair.number)) if self.sitting else self.chairs
        return tuple(chair.words or "" for chair in sat)

    @property
    def running(self) -> bool:
        return self.phase in ("playing", "asleep")

    @property
    def ended(self) -> bool:
        return self.phase in ("over", "abandoned")

    def has_declined(self, account: str) -> bool:
        return account in self.declined

    def chair(self, number: int) -> Chair:
        chair = numbered(self.chairs, number)
        assert chair is not None, f"no act names chair {number}, which is empty"
        return chair

    def seat(self, chair: Chair) -> Seat:
        return Seat(self.chairs.index(chair))

    def to_act(self) -> frozenset[Seat]:
        return self.awaited.seats if isinstance(self.awaited, Turn) and self.running else NOBODY


def is_present(chair: Chair) -> bool:
    """Whether a person is in this chair, also while a bot plays for them."""
    return chair.account is not None and chair.presence is Presence.HERE


class Told(Struct, frozen=True):
    """What an act did, for those who may hear it: the act itself, and the events of its entries."""

    seq: int
    at: int
    act: Act
    events: tuple[Event, ...] = ()
    before: TableState | None = None
    after: TableState | None = None
    thrown: tuple[Faces, ...] = ()  # the sides of the dice of each roll, as the rules asked for them


def is_out(state: TableState, seat: Seat) -> bool:
    """Whether the rules have done with this seat: it folded or was removed."""
    barred = state.game.barred(state.position, seat)
    return barred is not None and barred.code == "seat_is_out"


def awaited_dice(state: TableState) -> Faces | None:
    """The dice that must fall before anything else happens."""
    return state.awaited.sides if isinstance(state.awaited, Dice) else None
