"""What discovery finds: tables with their chairs and observer spots, and what is wrong with an area.

Chairs share one tag, so an object is known by its area, its kind and its position: ``tavern:chair:12.50,7.25,0.00``.
The id stays the same as long as nobody moves the object in the toolset.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class WarningCode(StrEnum):
    TOO_FEW_CHAIRS = "too_few_chairs"
    TOO_MANY_CHAIRS = "too_many_chairs"
    NO_TABLE = "no_table"
    OBSERVER_WITHOUT_TABLE = "observer_without_table"
    OVERLAPPING_TRIGGERS = "overlapping_triggers"
    DAMAGED_AREA = "damaged_area"


@dataclass(frozen=True, slots=True)
class Position:
    """Metres from the south-west corner of the area, and above its floor."""

    x: float
    y: float
    z: float = 0.0

    def __str__(self) -> str:
        return f"{self.x:z.2f},{self.y:z.2f},{self.z:z.2f}"


@dataclass(frozen=True, slots=True)
class Spot:
    """An object of the world: a trigger, a table, a chair, or a placeable that people use to watch."""

    id: str
    area: str
    tag: str
    position: Position

    @property
    def x(self) -> float:
        return self.position.x

    @property
    def y(self) -> float:
        return self.position.y

    @property
    def z(self) -> float:
        return self.position.z


@dataclass(frozen=True, slots=True)
class VenueTable:
    """One table. Where no placeable can be its table, the trigger stands in for it."""

    area: str
    trigger: Spot
    table: Spot | None
    centre: Position
    polygon: tuple[Position, ...]
    chairs: tuple[Spot, ...]
    observers: tuple[Spot, ...] = ()

    @property
    def id(self) -> str:
        return (self.table or self.trigger).id

    @property
    def position(self) -> Position:
        return self.centre if self.table is None else self.table.position


@dataclass(frozen=True, slots=True)
class VenueWarning:
    area: str
    code: WarningCode
    message: str


@dataclass(frozen=True, slots=True)
class Venue:
    name: str
    tables: tuple[VenueTable, ...]
    warnings: tuple[VenueWarning, ...] = ()


@dataclass(slots=True)
class SpotIds:
    """Names objects, each only once: a second object of a kind at the same place gets ``#2``."""

    made: Counter[str] = field(default_factory=Counter)

    def spot(self, area: str, kind: str, tag: str, position: Position) -> Spot:
        name = f"{area}:{kind}:{position}"
        self.made[name] += 1
        return Spot(name if self.made[name] == 1 else f"{name}#{self.made[name]}", area, tag, position)
