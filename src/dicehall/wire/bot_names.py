"""Names of bots: drawn by the id of their table, and never the name of somebody who sits there.

A hall knows which seats are bots. In a game at home the name alone says it, with the level: ``Mira (Casual)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count

from dicehall.wire.bot_levels import level_key, level_name

NAMES = (
    "Ada", "Alma", "Anouk", "Arlo", "Basil", "Bruno", "Clio", "Cosmo", "Dora", "Edda", "Enzo", "Fay", "Flora", "Gus",
    "Hana", "Hugo", "Ines", "Ivo", "Juno", "Kaya", "Lio", "Luna", "Maks", "Mira", "Nadia", "Nico", "Odile", "Otis",
    "Pia", "Quinn", "Remy", "Rosa", "Sami", "Selma", "Theo", "Tilda", "Uma", "Vera", "Wim", "Yara", "Yuki", "Zelda",
)  # fmt: skip


def bot_names(table: str, taken: Iterable[str]) -> Iterator[str]:
    """Names for bots at this table, always in the same order; never a taken one, whatever its case."""
    used = {name.casefold() for name in taken}
    for number in count(1):
        for name in sorted(NAMES, key=lambda name: sha256(f"{table}\n{name}".encode()).digest()):
            numbered = name if number == 1 else f"{name} {number}"
            if numbered.casefold() not in used:
                yield numbered


LEVEL = r"(?:[A-Z][a-z ]*, as )?([A-Z][a-z ]*)"
HOME_BOT = re.compile(rf"(?P<name>(?:{'|'.join(NAMES)})(?: [0-9]+)?) \({LEVEL}\)")
NAMELESS_BOT = re.compile(r"Bot [0-9]+ \((?:[a-z_]+, as )?([a-z_]+)\)")  # in records from before bots had names


def home_bot_name(name: str, level: str, really: str) -> str:
    """A bot's name at home says its level, and the one it really plays on where that is another one."""
    played = level_name(level) if level == really else f"{level_name(level)}, as {level_name(really)}"
    return f"{name} ({played})"


def bot_of(name: str) -> str | None:
    """The level a bot at home plays on, from its name; None for a person."""
    if found := HOME_BOT.fullmatch(name):
        return level_key(found[2])
    nameless = NAMELESS_BOT.fullmatch(name)
    return nameless[1] if nameless else None


def first_name(name: str) -> str:
    """A name without the level of a bot."""
    found = HOME_BOT.fullmatch(name)
    return found["name"] if found else name
