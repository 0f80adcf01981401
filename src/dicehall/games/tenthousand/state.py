"""The position of a Dice 10 000 game, and what can be read from it."""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.core.game import Faces, Seat
from dicehall.games.farkle import Grouping, without

DICE = 6


@dataclass(frozen=True, slots=True)
class State:
    scores: tuple[int, ...]
    round: int = 0
    seat: Seat = Seat(0)
    turn_points: int = 0
    roll: Faces | None = None  # the current roll; None before the first, and while dice are in the air
    locked: Grouping = ()  # in the current roll, in the order of locking
    dice_left: int = DICE
    rolling: bool = False

    @property
    def must_lock(self) -> bool:
        return self.roll is not None and not self.locked

    @property
    def loose(self) -> Faces:
        """The faces of the current roll that are not locked."""
        return without(self.roll or (), tuple(face for subset in self.locked for face in subset)) or ()


@dataclass(frozen=True, slots=True)
class View:
    scores: tuple[int, ...]
    round: int
    turn_points: int
    roll: Faces | None
    locked: Grouping
    dice_left: int
    must_lock: bool
    goal: int
    opening: int
