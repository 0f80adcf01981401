"""What a game's screens have in common: the position while a change is being shown, and the final standings.

A game's own summary is the class ``GameSummary`` of the module ``summary_<key>``; any other game gets the one here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from dicehall.core.game import Over, Seat, Seats
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.wire.results import final_scores, numbered_places, places_by_score
from dicehall.wire.sentences import names_of


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the final standings."""

    place: int
    seat: Seat
    columns: tuple[str, ...]
    note: str = ""
    is_out: bool = False  # fallen, folded or removed


class GameSummary:
    headings: tuple[str, ...] = ("score",)  # of the columns of the standings

    def __init__(self, game: Any) -> None:
        points = getattr(lines_of(game), "POINTS", None)
        self.headings = self.headings if points is None else (points,)

    def patched(self, view: Any, event: Mapping[str, Any]) -> Any:
        """The view with the numbers that an event tells, while the rest of a change is still to be told."""
        return view

    def progress(self, view: Any) -> str:
        """The round, or the goal."""
        number, last = getattr(view, "round", None), getattr(view, "last_round", None)
        goal = getattr(view, "goal", None)
        if number is not None and last is not None:
            return f"Round {number} of {last}"
        return "" if goal is None else f"Goal: {goal}"

    def places(self, view: Any, seats: int) -> tuple[Seats, ...]:
        """The current standings, best first; ties share a place."""
        return places_by_score(final_scores(view, seats))

    def standings(self, view: Any, over: Over, seats: int) -> list[Standing]:
        scores = final_scores(view, seats)
        return [Standing(place, seat, (str(scores[seat]),)) for place, seat in numbered_places(over)]

    def notes(self, view: Any, over: Over) -> list[str]:
        """Why the game is over, and how places were decided."""
        return []


def outcome(over: Over, names: Sequence[str]) -> str:
    """Who won, in a sentence."""
    if over.winner is not None:
        return f"{names[over.winner]} wins!"
    first = sorted(over.places[0]) if over.places else []
    return f"A draw: {names_of(first, names)} share first place." if first else "Nobody wins."


@cache
def summary_of(game: Any) -> GameSummary:
    name = f"{__package__}.summary_{game.key}"
    own = game.key.isidentifier() and find_spec(name)
    found: GameSummary = import_module(name).GameSummary(game) if own else GameSummary(game)
    return found
