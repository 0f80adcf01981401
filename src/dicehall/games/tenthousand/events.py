"""The events of Dice 10 000. Round 0 and the first turn of seat 0 exist from the start, so they have no events."""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.core.game import Event, Faces, Seat
from dicehall.games.farkle import Grouping


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    round: int


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    seat: Seat
    faces: Faces


@dataclass(frozen=True, slots=True)
class Locked(Event):
    seat: Seat
    subsets: Grouping
    points: int
    turn_points: int  # with these
    dice_left: int


@dataclass(frozen=True, slots=True)
class Busted(Event):
    seat: Seat
    lost: int


@dataclass(frozen=True, slots=True)
class Yielded(Event):
    seat: Seat
    points: int
    score: int  # with these


@dataclass(frozen=True, slots=True)
class TimedOut(Event):
    seat: Seat
    lost: int


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    round: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Won(Event):
    seat: Seat
    score: int
    places: tuple[tuple[Seat, ...], ...]  # best first, equals together
