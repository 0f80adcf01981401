"""Events of a game in the sentences of its plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicehall.core.game import AnyGame, Event, Over
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.wire.sentences import names_of, sentence


def told_lines(game: AnyGame, event: Event, view: Any, names: Sequence[str]) -> list[str]:
    """What an event brought; *view* is how a spectator sees the game after it."""
    own: Any = getattr(lines_of(type(game)), "told", None)
    lines: list[str] | None = own(event, view, names) if own else None
    return [sentence(game, event, names)] if lines is None else lines


def places(over: Over, names: Sequence[str]) -> list[str]:
    """The final places; equals share one, and the next place counts them all."""
    if not over.places:
        return ["The game is over. Nobody won."]
    told, place = ["The game is over."], 1
    for seats in over.places:
        told.append(f"{place}. {names_of(sorted(seats), names)}")
        place += len(seats)
    return told
