"""What the levels of bots are called for people; programs use their keys."""

from __future__ import annotations

from collections.abc import Sequence

EASIEST = "random"  # the level that every game has
USUAL = "greedy"  # neither the weakest nor one that cannot be beaten

LEVEL_NAMES = {EASIEST: "Easy", USUAL: "Casual", "good": "Good", "exact": "Exact"}
KEYS = {name: key for key, name in LEVEL_NAMES.items()}


def level_name(key: str) -> str:
    return LEVEL_NAMES.get(key, key.replace("_", " ").capitalize())


def level_key(name: str) -> str:
    """The key of a level by its name."""
    return KEYS.get(name, name.replace(" ", "_").lower())


def usual_level(known: Sequence[str]) -> str:
    """The level that nobody had to choose, of those that a game has."""
    return USUAL if USUAL in known else known[-1]
