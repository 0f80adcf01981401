"""The levels of bots. Every game has ``random``; a module of its own beside this one adds what really differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, TypeAlias

from dicehall.core.game import AnyGame, Seat

Bot: TypeAlias = Callable[[Any, Seat, Sequence[Any], Random], Any]  # view, me, choices, chance -> action
Maker: TypeAlias = Callable[[AnyGame], Bot]  # for the house rules of a game, which everybody knows


def levels(key: str) -> tuple[str, ...]:
    """The levels of the bots that play a game, the weakest first."""
    return tuple(makers(key))


def bots_for(game: AnyGame) -> Mapping[str, Bot]:
    """The bots that play a game with its house rules, by level, the weakest first."""
    return {level: maker(game) for level, maker in makers(game.key).items()}


def plays_as(game: AnyGame, level: str, seats: int) -> str:
    """The level a bot really plays on: another one where these house rules are too much for its own."""
    asked: Callable[[int], str] | None = getattr(bots_for(game)[level], "plays_as", None)
    return level if asked is None else asked(seats)


def makers(key: str) -> Mapping[str, Maker]:
    found: dict[str, Maker] = {"random": always(at_random)}
    name = f"{__package__}.{key}"
    if key.isidentifier() and find_spec(name):
        found |= getattr(import_module(name), "LEVELS", {})
    return found


def always(bot: Bot) -> Maker:
    """A bot that needs no house rules beside those its view shows."""
    return lambda game: bot


def at_random(view: Any, me: Seat, choices: Sequence[Any], chance: Random) -> Any:
    return chance.choice(choices)
