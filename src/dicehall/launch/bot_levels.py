"""The levels of bots that are typed in commands."""

from __future__ import annotations

from dicehall.bots.levels import levels
from dicehall.launch.output import Failed
from dicehall.wire.bot_levels import KEYS


def typed_level(text: str) -> str:
    """The key of a level, which people also know by its name, such as Casual."""
    return KEYS.get(text.strip().capitalize(), text)


def check_level(key: str, level: str) -> None:
    if level not in levels(key):
        known = ", ".join(levels(key))
        raise Failed(f"There is no bot of level {level!r} for {key}; there are {known}.")
