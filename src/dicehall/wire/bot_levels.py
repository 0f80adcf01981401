"""What the levels of bots are called for people; programs use their keys."""

from __future__ import annotations

EASIEST = "random"  # the level that every game has

LEVEL_NAMES = {EASIEST: "Easy", "greedy": "Casual", "good": "Good", "exact": "Exact"}


def level_name(key: str) -> str:
    return LEVEL_NAMES.get(key, key.replace("_", " ").capitalize())
