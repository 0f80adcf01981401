"""How a race game is read: the few questions a solver asks about its positions, answered by a class for each game.

Everything else (what a throw offers, what follows a lock, when banking is allowed, when the game is won) is asked of
the game's own rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Generic

from dicehall.core.game import AnyGame, S, Seat

ME = Seat(0)  # in the positions that are asked about there are two seats, and the first is on turn


class Unsolvable(Exception):
    """Rules that the method cannot solve; the sentence is for a person."""


class Race(ABC, Generic[S]):
    roll: ClassVar[Any]  # the action that throws
    bank: ClassVar[Any]  # the action that keeps the turn's points
    leaving: ClassVar[Any] = None  # the action that leaves the game

    def __init__(self, game: AnyGame) -> None:
        self.game: Any = game  # each class asks its own game for its own numbers

    @abstractmethod
    def begin(self, scores: tuple[int, int], seat: Seat = ME) -> S:
        """The start of a turn of one of two seats."""

    @abstractmethod
    def points(self, state: S) -> int:
        """What is gathered in this turn."""

    @abstractmethod
    def holding(self, state: S, scores: tuple[int, int], points: int) -> S:
        """The same position with other scores, and other points of the turn."""

    @abstractmethod
    def kind(self, state: S) -> Hashable:
        """What else of a turn matters when dice are thrown."""

    @abstractmethod
    def sight(self, state: S) -> Hashable:
        """What else matters when a seat decides: positions that agree in it offer the same for the same points."""

    @abstractmethod
    def seen(self, view: Any, scores: tuple[int, int], *, rolling: bool) -> S:
        """The turn that a view shows as a turn of the first of two seats, who have these scores."""

    def living(self, view: Any) -> list[Seat]:
        """The seats that can still win."""
        return [Seat(at) for at in range(len(view.scores))]

    def locks(self, state: S, choices: Sequence[Any]) -> list[Any]:
        """The choices that set dice aside and leave the turn where it is; of those that come to the same, one."""
        others = {id(self.roll), id(self.bank), id(self.leaving)}  # words, of which there is one each
        return [action for action in choices if id(action) not in others]
