"""The languages that people read: English, and every other one whose files are there."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

ENGLISH = "en"
WISHES = 20  # languages of one header that are looked at
WISH = re.compile(r"\s*([A-Za-z]{2,3})(?:-[A-Za-z0-9-]{1,20})?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?")


def languages_in(folder: Path) -> tuple[str, ...]:
    """English, and each language that has a file or a folder here."""
    others = {entry.stem for entry in folder.iterdir() if re.fullmatch(r"[a-z]{2,3}(\.json)?", entry.name)}
    return (ENGLISH, *sorted(others - {ENGLISH}))


def chosen_language(header: str, known: Collection[str]) -> str:
    """What an ``Accept-Language`` header asks for most, among the known languages; English where it asks for none."""
    best, weight = ENGLISH, 0.0
    for wish in header.split(",", WISHES)[:WISHES]:
        found = WISH.fullmatch(wish)
        if found and (language := found[1].lower()) in known and (wanted := float(found[2] or 1)) > weight:
            best, weight = language, wanted
    return best
