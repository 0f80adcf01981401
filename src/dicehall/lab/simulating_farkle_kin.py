"""How positions of Farkle's kin are made and read, for `simulating_farkle`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import replace
from typing import Any, ClassVar

from dicehall.core.game import Seat
from dicehall.games.aetharn import state as aetharn
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.aetharn.turn import TurnState
from dicehall.games.tenthousand import state as tenthousand
from dicehall.games.tenthousand.rules import TenThousand


class Kin(ABC):
    view: ClassVar[type[Any]]
    held: ClassVar[str]  # the field of the view with what is set aside
    order: ClassVar[str]  # the field that says who came when

    def __init__(self, game: Any) -> None:
        self.game = game

    @abstractmethod
    def begin(self, scores: tuple[int, int], seat: Seat) -> Any:
        """The start of a turn."""

    @abstractmethod
    def moved(self, state: Any, scores: tuple[int, int], points: int) -> Any:
        """The same position with other scores, and other points of the turn."""

    @abstractmethod
    def points(self, state: Any) -> int:
        """Of the turn."""

    @abstractmethod
    def kind(self, state: Any) -> Hashable:
        """What beside the points matters to a throw."""


class AetharnKin(Kin):
    view, held, order = aetharn.View, "held", "order"

    def begin(self, scores: tuple[int, int], seat: Seat) -> Any:
        return aetharn.State(scores, (Seat(0), Seat(1)), TurnState(seat))

    def moved(self, state: Any, scores: tuple[int, int], points: int) -> Any:
        return replace(state, scores=scores, turn=replace(state.turn, points=points))

    def points(self, state: Any) -> int:
        return int(state.turn.points)

    def kind(self, state: Any) -> Hashable:
        return state.turn.dice_left, state.turn.hot_dice_used


class TenThousandKin(Kin):
    view, held, order = tenthousand.View, "locked", "round"

    def begin(self, scores: tuple[int, int], seat: Seat) -> Any:
        return tenthousand.State(scores, 0, seat)

    def moved(self, state: Any, scores: tuple[int, int], points: int) -> Any:
        return replace(state, scores=scores, turn_points=points)

    def points(self, state: Any) -> int:
        return int(state.turn_points)

    def kind(self, state: Any) -> Hashable:
        return int(state.dice_left)


def kin_of(game: object) -> Kin | None:
    if isinstance(game, Aetharn):
        return AetharnKin(game)
    return TenThousandKin(game) if isinstance(game, TenThousand) else None
