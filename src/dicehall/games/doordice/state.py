"""Where a game of DO or DICE stands, and what can be asked of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from dicehall.core.game import Seat
from dicehall.games.doordice.ranking import Places, places_without_dice

T = TypeVar("T")
SEATS = tuple(Seat(n) for n in range(5))  # D1


@dataclass(frozen=True, slots=True)
class State:
    hp: tuple[int, ...]
    vp: tuple[int, ...] = (0,) * len(SEATS)
    fallen_rounds: tuple[int, ...] = (0,) * len(SEATS)
    last_targets: tuple[Seat | None, ...] = (None,) * len(SEATS)  # whom each seat chose the last time it acted
    round: int = 1
    seat: Seat = SEATS[0]
    rolling: bool = False
    late: bool = False  # the clock rolled, so a choice will be forgone (D10)
    face: int | None = None  # while it asks for a choice
    places: Places = ()  # once the last act is done; places still shared are rolled for


def living(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in SEATS if alive(state, seat))


def alive(state: State, seat: Seat) -> bool:
    return state.hp[seat] > 0


def put(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def targets(state: State) -> tuple[Seat, ...]:
    """The living, never oneself; a fallen seat leaves alone whom it chose the round before (D4).

    Two seats or more are alive while a game runs, so somebody is always left to choose.
    """
    spared = None if alive(state, state.seat) else state.last_targets[state.seat]
    return tuple(seat for seat in living(state) if seat not in (state.seat, spared))


def aimed_at(state: State, target: Seat | None) -> State:
    return replace(state, last_targets=put(state.last_targets, state.seat, target))


def standing(state: State) -> Places:
    """D9 without the dice."""
    return places_without_dice(state.vp, state.hp, state.fallen_rounds)


def reason(state: State) -> str:
    return "last_alive" if len(living(state)) == 1 else "rounds"
