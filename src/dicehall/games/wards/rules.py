"""Dice Wards: roll to gather, hold to keep; the first seat to hold 100 wins.

Clauses W1-W9. Nothing is hidden, and nobody can resign.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, assert_never

from dicehall.core.game import (
    Attend,
    Awaited,
    Dice,
    Entry,
    Event,
    Expired,
    Move,
    Over,
    Policy,
    Refused,
    Roll,
    Seat,
    Step,
    Turn,
)
from dicehall.core.house import check_rules, check_seats, seconds, whole


class Action(StrEnum):
    ROLL = "roll"
    HOLD = "hold"


ACTIONS = tuple(Action)
SEATS = (Seat(0), Seat(1))
# All that this game can wait for, by seat.
TURN = tuple(Turn(frozenset({seat})) for seat in SEATS)
DIE = tuple(Dice((6,), by=frozenset({seat})) for seat in SEATS)
WON = tuple(Over((frozenset({seat}), frozenset(SEATS) - {seat}), "goal") for seat in SEATS)


@dataclass(frozen=True, slots=True)
class State:
    scores: tuple[int, int] = (0, 0)
    seat: Seat = Seat(0)
    round_score: int = 0
    last_roll: int | None = None
    rolling: bool = False


@dataclass(frozen=True, slots=True)
class View:
    scores: tuple[int, int]
    round_score: int
    last_roll: int | None
    goal: int


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    seat: Seat
    face: int
    round_score: int  # after the roll


@dataclass(frozen=True, slots=True)
class Lost(Event):
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Held(Event):
    seat: Seat
    points: int
    score: int
    in_time: bool  # False where the clock held for the seat (W6)


@dataclass(frozen=True, slots=True)
class Won(Event):
    seat: Seat
    scores: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wards:
    goal: int = whole(100, hall_most=1000)
    turn_seconds: int | None = seconds(30)

    key: ClassVar[str] = "wards"
    edition: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 3)
    action: ClassVar[Any] = Action

    def __post_init__(self) -> None:
        check_rules(self)

    @property
    def policy(self) -> Policy:
        return Policy("full", clock="action", clock_seconds=self.turn_seconds)

    def start(self, seats: int) -> State:
        check_seats(self, seats)
        return State()

    def awaits(self, state: State) -> Awaited:
        if max(state.scores) >= self.goal:
            return WON[state.scores[0] < self.goal]
        return DIE[state.seat] if state.rolling else TURN[state.seat]

    def count(self, state: State) -> int:
        return len(SEATS)

    def barred(self, state: State, seat: Seat) -> Refused | None:
        return None

    def anytime(self, action: Action) -> bool:
        return False

    def choices(self, state: State, seat: Seat) -> tuple[Action, ...]:
        awaited = self.awaits(state)
        return ACTIONS if isinstance(awaited, Turn) and seat in awaited.seats else ()

    def step(self, state: State, entry: Entry[Action]) -> Step[State]:
        match entry:
            case Roll():
                return rolled(state, entry.faces[0])
            case Move(action=Action.ROLL):
                return roll(state)
            case Move():
                return self.hold(state, in_time=True)
            case Expired():
                return self.hold(state, in_time=False)
            case Attend():  # C9: absence changes nothing here
                return Step(state)
            case _:
                assert_never(entry)

    def hold(self, state: State, *, in_time: bool) -> Step[State]:
        """Bank what is at stake and pass the die; running out of time also holds."""
        score = state.scores[state.seat] + state.round_score
        scores = (score, state.scores[1]) if state.seat == 0 else (state.scores[0], score)
        held = Held(state.seat, state.round_score, score, in_time)
        told = (held, Won(state.seat, scores)) if score >= self.goal else (held,)
        return Step(passed(state, scores, state.last_roll), told, fresh_clock=True)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(state.scores, state.round_score, state.last_roll, self.goal)


def roll(state: State) -> Step[State]:
    return Step(State(state.scores, state.seat, state.round_score, state.last_roll, rolling=True), fresh_clock=True)


def rolled(state: State, face: int) -> Step[State]:
    """A one loses the turn; anything else goes on the pile."""
    if face == 1:
        lost = Rolled(state.seat, face, 0), Lost(state.seat, state.round_score)
        return Step(passed(state, state.scores, face), lost)
    pile = state.round_score + face
    return Step(State(state.scores, state.seat, pile, face), (Rolled(state.seat, face, pile),))


def passed(state: State, scores: tuple[int, int], last_roll: int | None) -> State:
    """The die is with the other seat, and nothing at stake."""
    return State(scores, SEATS[1 - state.seat], last_roll=last_roll)
