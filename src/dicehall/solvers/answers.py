"""What a solver answers. It is asked about what a seat sees, so that it cannot know what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dicehall.core.game import Awaited, Over, Seat


@dataclass(frozen=True, slots=True)
class Estimate:
    """A chance to win, of which a shared first place counts as its share, or a mean over many games."""

    value: float
    stderr: float = 0.0  # 0: exact


@dataclass(frozen=True, slots=True)
class Worth:
    """A choice and the chance to win of whoever makes it, played well from there on."""

    action: Any
    chance: Estimate
    often: float | None = None  # how often perfect play chooses it, where both sides choose at once


class Solver(Protocol):
    """The answers for one game with its house rules and number of seats."""

    @property
    def note(self) -> str:
        """How far to trust it, for people: "exact", "against the leader", "rollouts"."""

    def chance(self, view: Any, awaits: Awaited, seat: Seat) -> Estimate:
        """What a seat's position is worth; where dice are awaited, on average over them."""

    def worths(self, view: Any, seat: Seat, choices: Sequence[Any]) -> Sequence[Worth]:
        """What each choice of the seat whose decision it is is worth, in the order of the choices."""


def share(over: Over, seat: Seat) -> float:
    """What a seat has of the first place."""
    first = over.places[0] if over.places else frozenset()
    return 1 / len(first) if seat in first else 0.0
