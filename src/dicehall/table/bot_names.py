"""Names of bots at a table: drawn by the id of the table, and never the name of somebody who sits there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count

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
