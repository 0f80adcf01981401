"""Where every table stands, in memory: the writer is alone with its file, so it need not ask the file.

Of a table that is written to it also remembers which ids its clients have used.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple, TypeAlias

Used: TypeAlias = set[tuple[str, str]]  # ids of one table, with the account they are of


class Place(NamedTuple):
    key: int
    seq: int


class Book:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.places: dict[str, Place] = {
            name: Place(key, seq) for name, key, seq in connection.execute("SELECT name, key, seq FROM heads")
        }
        self.next_key = max((place.key for place in self.places.values()), default=0) + 1
        self.used: dict[int, Used] = {}  # by the key of a table

    def turn(self, pages: dict[str, Place | None], used: dict[int, Used]) -> None:
        """What a stored batch changed; None for a table that is gone."""
        for key, more in used.items():
            self.used.setdefault(key, set()).update(more)
        for name, place in pages.items():
            if place is None:
                if (gone := self.places.pop(name, None)) is not None:
                    self.used.pop(gone.key, None)
            else:
                self.places[name] = place
                self.next_key = max(self.next_key, place.key + 1)


def used_ids(connection: sqlite3.Connection, key: int) -> Used:
    """The ids that stand in the journal of a table."""
    found = connection.execute("SELECT ifnull(account, ''), id FROM acts WHERE key = ? AND id IS NOT NULL", (key,))
    return set(found)
