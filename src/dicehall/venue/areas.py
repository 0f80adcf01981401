"""An area as a file describes it: its triggers and its placeables, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from dicehall.venue.layout import Position

FARTHEST_M = 100_000.0  # the largest area of Neverwinter Nights is 320 m wide
MOST_OBJECTS = 20_000  # of an area, triggers and placeables together
MOST_CORNERS = 1_000  # of one trigger
LONGEST_NAME = 16  # of an area; ids contain it
LONGEST_TAG = 64  # the toolset allows 32 characters


class DamagedArea(ValueError):
    """An area that cannot be used; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Placeable:
    tag: str
    position: Position


@dataclass(frozen=True, slots=True)
class Trigger:
    tag: str
    position: Position
    polygon: tuple[Position, ...]  # corners in the area, not relative to the trigger


@dataclass(frozen=True, slots=True)
class Area:
    name: str
    triggers: tuple[Trigger, ...]
    placeables: tuple[Placeable, ...]


def make_name(name: str) -> str:
    """The name of an area from a file that may have any name."""
    return re.sub(r"[^a-z0-9_-]", "_", name.lower())[:LONGEST_NAME] or "_"


def make_position(x: float, y: float, z: float) -> Position:
    """A position in whole millimetres, so that the same area gives the same ids from every kind of file."""
    if not all(isfinite(value) and abs(value) <= FARTHEST_M for value in (x, y, z)):
        raise DamagedArea("An object has a position that cannot be in an area.")
    return Position(round(x, 3), round(y, 3), round(z, 3))


def make_trigger(tag: str, position: Position, relative: Sequence[tuple[float, float, float]]) -> Trigger:
    """A trigger from corners relative to its position."""
    if not relative:
        raise DamagedArea("A trigger has no corners.")
    if len(relative) > MOST_CORNERS:
        raise DamagedArea(f"A trigger has {len(relative)} corners; at most {MOST_CORNERS} are read.")
    corners = (make_position(position.x + x, position.y + y, position.z + z) for x, y, z in relative)
    return Trigger(tag, position, tuple(corners))


def check_count(triggers: int, placeables: int) -> None:
    if triggers + placeables > MOST_OBJECTS:
        raise DamagedArea(f"The area has {triggers + placeables} objects; at most {MOST_OBJECTS} are read.")
