"""The levels of bots that are typed in commands."""

from __future__ import annotations

from dicehall.bots.levels import levels
from dicehall.launch.output import Failed


def check_level(key: str, level: str) -> None:
    if level not in levels(key):
        known = ", ".join(levels(key))
        raise Failed(f"There is no bot of level {level!r} for {key}; there are {known}.")
