"""A small tavern to try things in, so that nobody needs Neverwinter Nights to see a table."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from dicehall.venue.layout import Venue
from dicehall.venue.sources import load

TAVERN = Path(str(files(__package__) / "tavern.toml"))


def tavern() -> Venue:
    """The Gilded Griffin: two tables in one area, one with six chairs and one with three."""
    return load(TAVERN)
