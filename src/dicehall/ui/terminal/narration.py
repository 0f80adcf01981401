"""Events of a game in the sentences of its plain lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from dicehall.core.game import AnyGame, Event, Over
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.wire.sentences import names_of, render, sentence, words_of


def told_lines(game: AnyGame, event: Event, view: Any, names: Sequence[str]) -> list[str]:
    """What an event brought; *view* is how a spectator sees the game after it."""
    own: Any = getattr(lines_of(type(game)), "told", None)
    lines: list[str] | None = own(event, view, names) if own else None
    return [sentence(game, event, names)] if lines is None else lines


def shown_lines(game: AnyGame, shown: Mapping[str, Any], view: Any, names: Sequence[str]) -> list[str]:
    """The same for an event as sent to clients; None if the game has no words for it."""
    words, event = words_of(type(game)), read_event(game, shown)
    if shown["event"] not in words or shown["event"] == "about":
        return []
    return [render(words, shown, names)] if event is None else told_lines(game, event, view, names)


def read_event(game: AnyGame, shown: Mapping[str, Any]) -> Event | None:
    """The event of a game, or None where the game has no module of events or none of this name and shape."""
    module = f"{type(game).__module__.rpartition('.')[0]}.events"
    kind = getattr(import_module(module), shown["event"], None) if find_spec(module) else None
    if not isinstance(kind, type) or not issubclass(kind, Event):
        return None
    try:
        return msgspec.convert(shown, kind)
    except msgspec.ValidationError:
        return None


def places(over: Over, names: Sequence[str]) -> list[str]:
    """The final places; equals share one, and the next place counts them all."""
    if not over.places:
        return ["The game is over. Nobody won."]
    told, place = ["The game is over."], 1
    for seats in over.places:
        told.append(f"{place}. {names_of(sorted(seats), names)}")
        place += len(seats)
    return told
