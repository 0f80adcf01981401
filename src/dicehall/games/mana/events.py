"""The events of a game of Mana. None of them reveals a pick before both seats have picked."""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.core.game import Event, Seat
from dicehall.games.mana.units import Army


@dataclass(frozen=True, slots=True)
class ArmiesDrawn(Event):
    leagues: tuple[int, int]
    league_names: tuple[str, str]
    units: tuple[Army, Army]
    same_army: bool = False  # one army was drawn, and both seats have it (M15)


@dataclass(frozen=True, slots=True)
class Picked(Event):
    """The unit itself stays hidden until both have picked."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class Committed(Event):
    seat: Seat
    round: int
    hash: str


@dataclass(frozen=True, slots=True)
class ArmyShown(Event):
    """A seat's first valid reveal binds its token and shows its army."""

    seat: Seat
    league: int
    league_name: str
    units: Army


@dataclass(frozen=True, slots=True)
class Revealed(Event):
    seat: Seat
    round: int
    unit: int


@dataclass(frozen=True, slots=True)
class RoundFought(Event):
    round: int
    picks: tuple[int, int]
    damage: tuple[int, int]  # by seat 0, by seat 1
    health: tuple[int, int]  # after combat
    winner: Seat | None
    wins: tuple[int, int]  # so far
    total_damage: tuple[int, int]  # so far


@dataclass(frozen=True, slots=True)
class TimeRanOut(Event):
    seats: tuple[Seat, ...]  # who had not acted
    phase: str  # the one that was open
    round: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    reason: str
    winner: Seat | None
    places: tuple[tuple[Seat, ...], ...]
    wins: tuple[int, int]
    damage: tuple[int, int]
    round: int
