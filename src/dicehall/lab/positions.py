"""Positions as one line of text: a module ``positions_<game>`` beside this one knows how its game writes them.

``read(game, write(game, state, viewer))`` is the position again, as far as the viewer may see it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.phrases import BadPosition

LONGEST = 2000  # characters of a line


class Form(Protocol):
    """How a game's positions are written."""

    EXAMPLES: tuple[str, ...]  # lines that can be read, the usual one first
    ABOUT: str  # what the parts of a line are

    def write(self, game: Any, state: Any, viewer: Seat | None) -> str: ...
    def read(self, game: Any, text: str) -> Any:
        """The position, or BadPosition with a sentence."""
        ...


@cache
def form_of(key: str) -> Form | None:
    name = f"{__package__}.positions_{key}"
    return cast(Form, import_module(name)) if key.isidentifier() and find_spec(name) else None


def write(game: AnyGame, state: Any, viewer: Seat | None = None) -> str:
    return known_form(game).write(game, state, viewer)


def read(game: AnyGame, text: str) -> Any:
    if len(text) > LONGEST:
        raise BadPosition(f"A position can have at most {LONGEST} characters.")
    return known_form(game).read(game, text)


def known_form(game: AnyGame) -> Form:
    form = form_of(game.key)
    if form is None:
        raise BadPosition(f"Positions of {game.key} cannot be written in a line.")
    return form
