"""Moves, moments and chances in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from dicehall.core.game import AnyGame, Event, Seat
from dicehall.lab.moments import Moment
from dicehall.wire.actions import codec_of
from dicehall.wire.languages import ENGLISH
from dicehall.wire.sentences import sentence, words_of

SENTENCES = 2  # of what one moment brought
PASSING = ("TurnStarted", "TurnEnded", "RoundStarted", "RoundEnded")  # what follows from what was told before


@cache
def lines_of(game: type[Any]) -> Any:
    """The module of a game's plain lines, where it has one."""
    home = game.__module__.rpartition(".")[0]
    return import_module(f"{home}.lines") if home and find_spec(f"{home}.lines") else None


def move_text(game: AnyGame, view: Any, names: Sequence[str], seat: Seat, action: Any) -> str:
    """A move as it is typed."""
    lines = lines_of(type(game))
    offers = lines.offers(view, names, seat, [action]) if lines else []
    if len(offers) == 1:
        return str(offers[0][0])
    move = codec_of(type(game)).encode(action)
    return move if isinstance(move, str) else msgspec.json.encode(move).decode()


def moment_text(game: AnyGame, moment: Moment, names: Sequence[str], language: str = ENGLISH) -> str:
    """What a moment brought, in a sentence or two."""
    view = game.view(moment.after, None)
    told = [line for event in moment.events for line in event_lines(game, event, view, names, language)]
    return " ".join(told[:SENTENCES])


def event_lines(game: AnyGame, event: Event, view: Any, names: Sequence[str], language: str) -> list[str]:
    """A game's own plain lines are in English; other languages have its sentences."""
    if type(event).__name__ in PASSING:
        return []
    own = getattr(lines_of(type(game)), "told", None)
    lines: list[str] | None = own(event, view, names) if own else None
    return lines if lines == [] or (lines and language == ENGLISH) else [sentence(game, event, names, language)]


def game_name(game: AnyGame) -> str:
    return str(words_of(type(game))["about"]["name"])


def percent(chance: float) -> str:
    """A chance, with a place more where it is near one of its ends."""
    near = min(abs(chance), abs(1 - chance))
    return f"{100 * chance:.2f} %" if 0 < near < 0.01 else f"{100 * chance:.1f} %"


def signed(change: float) -> str:
    return f"{100 * change:+.1f} %"
