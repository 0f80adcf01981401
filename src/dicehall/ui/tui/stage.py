"""What a board can look at, and the board of a game.

A game's own board is the module ``board_<key>`` here; any other game gets ``plain_board``. A board is the function
``draw(stage, width, height)``: lines of text that fit the width, and the height as far as they can. It may also have
``worth(stage, offer)``, shorter words for what a choice is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from rich.text import Text

from dicehall.core.game import AnyGame, Over, Seat, Seats
from dicehall.ui.tables.offers import Offer
from dicehall.ui.tables.summary import GameSummary, summary_of


@dataclass(frozen=True, slots=True)
class Stage:
    game: AnyGame
    names: Sequence[str]
    view: Any
    turn: Seats = frozenset()  # whom the game waits for
    over: Over | None = None
    me: Seat | None = None  # the person who looks, if there is only one to look
    rolling: tuple[int, ...] = ()  # faces of dice in the air: any, not those that will come
    dice: tuple[int, ...] = ()  # that landed last

    @property
    def on_turn(self) -> Seat | None:
        return min(self.turn, default=None)

    @property
    def seat(self) -> Seat:
        """Whose side the board is seen from: the person's, else that of the seat on turn."""
        return next((seat for seat in (self.me, self.on_turn) if seat is not None), Seat(0))

    @property
    def summary(self) -> GameSummary:
        return summary_of(type(self.game))


class Board(Protocol):
    draw: Callable[[Stage, int, int], list[Text]]


@cache
def board_for(key: str) -> Board:
    name = f"{__package__}.board_{key}"
    own = key.isidentifier() and find_spec(name) is not None
    return cast(Board, import_module(name if own else f"{__package__}.plain_board"))


def board_lines(stage: Stage, width: int, height: int) -> list[Text]:
    """The board of a game, no wider than the screen."""
    lines = board_for(stage.game.key).draw(stage, width, height)
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def worth_of(stage: Stage, offer: Offer) -> str:
    shorter: Any = getattr(board_for(stage.game.key), "worth", None)
    return offer.worth if shorter is None else str(shorter(stage, offer))
