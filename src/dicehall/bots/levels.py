"""The levels of bots. Every game has ``random``; a module of its own beside this one adds ``greedy``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, TypeAlias

from dicehall.core.game import Seat

Bot: TypeAlias = Callable[[Any, Seat, Sequence[Any], Random], Any]  # view, me, choices, chance -> action


def levels(game: str) -> Mapping[str, Bot]:
    """The bots that play a game, by level, the weakest first."""
    found: dict[str, Bot] = {"random": at_random}
    name = f"{__package__}.{game}"
    if game.isidentifier() and find_spec(name):
        found |= getattr(import_module(name), "LEVELS", {})
    return found


def at_random(view: Any, me: Seat, choices: Sequence[Any], chance: Random) -> Any:
    return chance.choice(choices)
