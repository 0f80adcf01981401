"""Dice Wards: roll to gather, hold to keep; the first seat to hold 100 wins.

Clauses W1-W9. Nothing is hidden, and nobody can resign.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    goal: int = whole(100)
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
            winner = Seat(0 if state.scores[0] >= self.goal else 1)
            return Over((frozenset({winner}), frozenset({other(winner)})), "goal")
        if state.rolling:
            return Dice((6,), by=frozenset({state.seat}))
        return Turn(frozenset({state.seat}))

    def count(self, state: State) -> int:
        return 2

    def barred(self, state: State, seat: Seat) -> Refused | None:
        return None

    def anytime(self, action: Action) -> bool:
        return False

    def choices(self, state: State, seat: Seat) -> tuple[Action, ...]:
        return tuple(Action) if self.awaits(state) == Turn(frozenset({seat})) else ()

    def step(self, state: State, entry: Entry[Action]) -> Step[State]:
        match entry:
            case Move(action=Action.ROLL):
                return Step(replace(state, rolling=True), fresh_clock=True)
            case Move():
                return self.hold(state, in_time=True)
            case Expired():
                return self.hold(state, in_time=False)
            case Roll(faces):
                return rolled(state, faces[0])
            case Attend():  # C9: absence changes nothing here
                return Step(state)
            case _:
                assert_never(entry)

    def hold(self, state: State, *, in_time: bool) -> Step[State]:
        """Bank what is at stake and pass the die; running out of time also holds."""
        score = state.scores[state.seat] + state.round_score
        scores = (score, state.scores[1]) if state.seat == 0 else (state.scores[0], score)
        held = Held(state.seat, state.round_score, score, in_time)
        won = (Won(state.seat, scores),) if score >= self.goal else ()
        return Step(pass_on(replace(state, scores=scores)), (held, *won), fresh_clock=True)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(state.scores, state.round_score, state.last_roll, self.goal)


def rolled(state: State, face: int) -> Step[State]:
    """A one loses the turn; anything else goes on the pile."""
    state = replace(state, last_roll=face, rolling=False)
    if face == 1:
        return Step(pass_on(state), (Rolled(state.seat, face, 0), Lost(state.seat, state.round_score)))
    state = replace(state, round_score=state.round_score + face)
    return Step(state, (Rolled(state.seat, face, state.round_score),))


def pass_on(state: State) -> State:
    """Give the die to the other seat, with nothing at stake."""
    return State(state.scores, other(state.seat), last_roll=state.last_roll)


def other(seat: Seat) -> Seat:
    return Seat(1 - seat)
