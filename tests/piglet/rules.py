"""Piglet: flip a coin; heads is a point at stake, tails loses them; the first to hold two wins."""

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

HEADS = 2


class Action(StrEnum):
    FLIP = "flip"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class State:
    scores: tuple[int, ...]
    seat: Seat = Seat(0)
    stake: int = 0
    flipping: bool = False


@dataclass(frozen=True, slots=True)
class View:
    scores: tuple[int, ...]
    stake: int


@dataclass(frozen=True, slots=True)
class Flipped(Event):
    seat: Seat
    heads: bool


@dataclass(frozen=True, slots=True)
class Held(Event):
    seat: Seat
    score: int


@dataclass(frozen=True, slots=True)
class Piglet:
    goal: int = whole(2)
    turn_seconds: int | None = seconds(10)

    key: ClassVar[str] = "piglet"
    edition: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 4)
    action: ClassVar[Any] = Action

    def __post_init__(self) -> None:
        check_rules(self)

    @property
    def policy(self) -> Policy:
        return Policy("asked", clock="turn", clock_seconds=self.turn_seconds)

    def start(self, seats: int) -> State:
        check_seats(self, seats)
        return State((0,) * seats)

    def awaits(self, state: State) -> Awaited:
        seats = frozenset(map(Seat, range(len(state.scores))))
        winners = frozenset(seat for seat in seats if state.scores[seat] >= self.goal)
        if winners:
            return Over((winners, seats - winners), "goal")
        mine = frozenset({state.seat})
        return Dice((2,), by=mine) if state.flipping else Turn(mine)

    def count(self, state: State) -> int:
        return len(state.scores)

    def barred(self, state: State, seat: Seat) -> Refused | None:
        return None

    def anytime(self, action: Action) -> bool:
        return False

    def choices(self, state: State, seat: Seat) -> tuple[Action, ...]:
        return tuple(Action) if self.awaits(state) == Turn(frozenset({seat})) else ()

    def step(self, state: State, entry: Entry[Action]) -> Step[State]:
        match entry:
            case Move(action=Action.FLIP):
                return Step(replace(state, flipping=True))
            case Move() | Expired():
                return hold(state)
            case Roll(faces):
                return flipped(state, faces[0] == HEADS)
            case Attend():
                return Step(state)
            case _:
                assert_never(entry)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(state.scores, state.stake)


def hold(state: State) -> Step[State]:
    scores = tuple(score + state.stake * (seat == state.seat) for seat, score in enumerate(state.scores))
    held = Held(state.seat, scores[state.seat])
    return Step(passed(replace(state, scores=scores)), (held,), fresh_clock=True)


def flipped(state: State, heads: bool) -> Step[State]:
    told = (Flipped(state.seat, heads),)
    if heads:
        return Step(replace(state, stake=state.stake + 1, flipping=False), told)
    return Step(passed(state), told, fresh_clock=True)


def passed(state: State) -> State:
    return State(state.scores, Seat((state.seat + 1) % len(state.scores)))
