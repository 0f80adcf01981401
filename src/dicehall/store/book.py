"""Where every table stands, in memory: the writer is alone with its file, so it need not ask the file."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple


class Place(NamedTuple):
    key: int
    seq: int


class Book:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.places: dict[str, Place] = {
            name: Place(key, seq) for name, key, seq in connection.execute("SELECT name, key, seq FROM heads")
        }
        self.next_key = max((place.key for place in self.places.values()), default=0) + 1

    def turn(self, pages: dict[str, Place | None]) -> None:
        """What a stored batch changed; None for a table that is gone."""
        for name, place in pages.items():
            if place is None:
                self.places.pop(name, None)
            else:
                self.places[name] = place
                self.next_key = max(self.next_key, place.key + 1)
