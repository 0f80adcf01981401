"""The one interface that all games implement.

A game is a fold over its log: ``game.step(state, entry).state``, entry after entry.
Nothing in here rolls dice, reads a clock, or knows who sits behind a seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, ClassVar, Generic, Literal, NewType, Protocol, TypeAlias, TypeVar

S = TypeVar("S")  # a game's State
A = TypeVar("A")  # a game's Action
V_co = TypeVar("V_co", covariant=True)  # a game's View

Seat = NewType("Seat", int)  # a chair, 0-based; never an account
Seats: TypeAlias = frozenset[Seat]
Faces: TypeAlias = tuple[int, ...]  # what dice show, or how many sides they have


class Presence(Enum):
    HERE = "here"
    AWAY = "away"
    GONE = "gone"


# What a game waits for: chance, people, or nothing more.
@dataclass(frozen=True, slots=True)
class Dice:
    sides: Faces  # (6, 6, 6) is three dice; (5, 4, 3, 2) draws an order of five
    by: Seats = frozenset()  # whose roll it is; nobody's where seats are drawn or ties broken


@dataclass(frozen=True, slots=True)
class Turn:
    seats: Seats  # whom the clock waits for; empty while a table waits for somebody to return


@dataclass(frozen=True, slots=True)
class Over:
    places: tuple[Seats, ...]  # best first, ties share a place; () if nobody won
    reason: str

    @property
    def winner(self) -> Seat | None:
        """The seat alone in first place."""
        return min(self.places[0]) if self.places and len(self.places[0]) == 1 else None


Awaited: TypeAlias = Dice | Turn | Over


# What a log holds: the four things that can happen to a game.
@dataclass(frozen=True, slots=True)
class Move(Generic[A]):
    seat: Seat
    action: A


@dataclass(frozen=True, slots=True)
class Roll:
    faces: Faces


@dataclass(frozen=True, slots=True)
class Expired:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Attend:
    seat: Seat
    presence: Presence


Entry: TypeAlias = Move[A] | Roll | Expired | Attend


@dataclass(frozen=True, slots=True)
class Unknown:
    """A request from which no action of the game can be read."""

    asked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened; ``to`` names the only seats that may see it."""

    to: Seats | None = None


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """What one entry did. ``fresh_clock`` asks the host for a new deadline."""

    state: S
    events: tuple[Event, ...] = ()
    fresh_clock: bool = False


class Refusal(StrEnum):
    """Why the rules say no, in every game; a game adds codes of its own."""

    GAME_FINISHED = "game_finished"
    NO_DICE_AWAITED = "no_dice_awaited"
    WRONG_DICE = "wrong_dice"
    NO_SUCH_SEAT = "no_such_seat"
    AWAITING_DICE = "awaiting_dice"
    NOT_YOUR_TURN = "not_your_turn"
    BAD_MOVE = "bad_move"


class Refused(Exception):
    """The rules say no: a code to act on, a sentence to read, numbers that help. The state is untouched."""

    def __init__(self, code: StrEnum, sentence: str, **more: int) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.more = more


@dataclass(frozen=True, slots=True)
class Policy:
    """How a hall runs a game: data that the game itself gives."""

    starts: Literal["full", "asked"]  # when the last seat is filled, or when somebody seated says so
    clock: Literal["action", "turn", "round"] | None = None  # what one deadline covers
    clock_seconds: int | None = None
    grace: bool = False  # whether absence matters to the rules
    grace_seconds: int | None = None
    game_seconds: int | None = None  # a second clock, over the whole game
    drawn: bool = False  # whether a hall draws who sits where
    clears: bool = False  # whether a lobby that everybody left is closed
    joined: bool = False  # whether seats are in order of joining, whichever chairs people took


class Game(Protocol[S, A, V_co]):
    """Rules as pure functions of values; the fields of a game are the rule numbers of its table."""

    key: ClassVar[str]
    edition: ClassVar[int]  # increased when an old log would mean something else
    seats: ClassVar[range]
    action: ClassVar[Any]  # the type of its actions, from which codecs are made

    @property
    def policy(self) -> Policy: ...
    def start(self, seats: int) -> S: ...
    def awaits(self, state: S) -> Awaited: ...
    def count(self, state: S) -> int: ...
    def barred(self, state: S, seat: Seat) -> Refused | None: ...
    def anytime(self, action: A) -> bool: ...
    def choices(self, state: S, seat: Seat) -> tuple[A, ...]: ...
    def step(self, state: S, entry: Entry[A]) -> Step[S]: ...
    def view(self, state: S, seat: Seat | None) -> V_co: ...


AnyGame: TypeAlias = Game[Any, Any, Any]
