"""The names of bots, by which a record tells them from people."""

from __future__ import annotations

import re

from dicehall.bots.levels import levels, plays_as
from dicehall.core.game import AnyGame
from dicehall.launch.output import Failed

BOT = re.compile(r"Bot [0-9]+ \((?:[a-z_]+, as )?([a-z_]+)\)")


def bot_name(game: AnyGame, seats: int, seat: int, level: str) -> str:
    """A bot's name says its level, and the one it really plays on where these house rules are too much for its own."""
    really = plays_as(game, level, seats)
    return f"Bot {seat + 1} ({level if level == really else f'{level}, as {really}'})"


def bot_of(name: str) -> str | None:
    """The level a bot plays on, from its name; None for a person."""
    found = BOT.fullmatch(name)
    return found[1] if found else None


def check_level(key: str, level: str) -> None:
    if level not in levels(key):
        known = ", ".join(levels(key))
        raise Failed(f"There is no bot of level {level!r} for {key}; there are {known}.")
