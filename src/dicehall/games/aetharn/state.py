"""The position of an Aetharn game, and what can be read from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TypeAlias

from dicehall.core.game import Faces, Seat, Seats
from dicehall.games.aetharn.turn import TurnState
from dicehall.games.farkle import Positions

Order: TypeAlias = tuple[Seat, ...]


class Fate(StrEnum):
    FOLDED = "folded"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class State:
    scores: tuple[int, ...]
    order: Order = ()  # empty until it is drawn
    turn: TurnState | None = None  # None before the draw, while the table waits, and after the end
    away: Seats = frozenset()  # absent, and still in
    out: tuple[tuple[Seat, Fate], ...] = ()  # by seat

    @property
    def gone(self) -> Seats:
        """Those who are out."""
        return frozenset(seat for seat, _ in self.out)

    @property
    def remaining(self) -> Order:
        """Those still in, absent or not, in the order of play."""
        gone = self.gone
        return tuple(seat for seat in self.order if seat not in gone)


@dataclass(frozen=True, slots=True)
class View:
    scores: tuple[int, ...]
    order: Order | None
    turn_points: int
    roll: Faces | None
    held: Positions
    dice_left: int
    must_hold: bool
    hot_dice_used: int
    away: tuple[Seat, ...]
    out: dict[str, str]
    goal: int
    hot_dice: int


def standings(scores: tuple[int, ...], out: Collection[Seat]) -> tuple[Seats, ...]:
    """Those still in by score, then those who are out by score; equals share a place (A18)."""

    def rank(seat: Seat) -> tuple[bool, int]:
        return seat in out, -scores[seat]

    seats = sorted((Seat(at) for at in range(len(scores))), key=rank)
    return tuple(frozenset(equals) for _, equals in groupby(seats, key=rank))


def following(state: State, seat: Seat) -> tuple[Order, Seat | None]:
    """Whom a turn passes over and whom it comes to after *seat*; nobody, where all are absent (A13, A14)."""
    after = state.order.index(seat) + 1
    circle = [other for other in state.order[after:] + state.order[:after] if other in state.remaining]
    for passed, other in enumerate(circle):
        if other not in state.away:
            return tuple(circle[:passed]), other
    return (), None
