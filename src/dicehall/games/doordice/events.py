"""The events of a game of DO or DICE."""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.core.game import Event, Seat


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """Emitted with the round's first roll."""

    round: int


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    seat: Seat
    face: int
    alive: bool  # which table the face was read on
    in_time: bool  # False where the clock rolled for the seat (D10)


@dataclass(frozen=True, slots=True)
class EffectDone(Event):
    """The changes and the numbers after them are those of the target, or of the seat itself if there is none."""

    seat: Seat
    effect: str
    target: Seat | None
    hp_change: int
    vp_change: int
    hp: int
    vp: int
    stolen: int  # VP that went from the target to the seat
    without_effect: bool  # D7


@dataclass(frozen=True, slots=True)
class ChoiceForgone(Event):
    seat: Seat
    face: int
    effects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fell(Event):
    seat: Seat
    hp: int
    round: int


@dataclass(frozen=True, slots=True)
class EliminationScored(Event):
    seat: Seat
    target: Seat
    points: int
    vp: int


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    round: int
    alive: tuple[Seat, ...]  # each of them got the points
    points: int
    vp: tuple[int, ...]
    fallen_rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tied(Event):
    """Nothing but dice can part these seats any more (D9)."""

    seats: tuple[Seat, ...]
    places: tuple[tuple[Seat, ...], ...]


@dataclass(frozen=True, slots=True)
class TieDiceRolled(Event):
    seats: tuple[Seat, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    reason: str
    winner: Seat
    ranking: tuple[Seat, ...]  # best first; at the end nobody shares a place
    places: tuple[tuple[Seat, ...], ...]
    vp: tuple[int, ...]
    hp: tuple[int, ...]
    fallen_rounds: tuple[int, ...]
    round: int
