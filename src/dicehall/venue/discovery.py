"""Finds the tables of a venue: triggers, the chairs and the table inside each, and the observer spots nearby."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from dicehall.core.text import only_visible
from dicehall.venue.areas import Area, DamagedArea, Placeable, Trigger
from dicehall.venue.geometry import TOLERANCE_M, centre, contains, distance
from dicehall.venue.layout import Position, Spot, SpotIds, Venue, VenueTable, VenueWarning, WarningCode
from dicehall.venue.settings import DiscoverySettings

MOST_EDGE_TESTS = 5_000_000  # of a whole venue: corners of tagged triggers times placeables

BrokenArea = tuple[str, DamagedArea]  # the name of an area that could not be read, and why


@dataclass(frozen=True, slots=True)
class Zone:
    """One tagged trigger, and the placeables that are inside and belong to it, in file order."""

    spot: Spot
    polygon: tuple[Position, ...]
    centre: Position
    placeables: list[Placeable] = field(default_factory=list)

    def distance(self, placeable: Placeable) -> float:
        return distance(self.centre, placeable.position)


@dataclass(slots=True)
class Discovery:
    """One pass over the areas of a venue."""

    settings: DiscoverySettings
    ids: SpotIds = field(default_factory=SpotIds)
    tables: list[VenueTable] = field(default_factory=list)
    warnings: list[VenueWarning] = field(default_factory=list)
    edge_tests: int = 0

    def read(self, area: Area) -> None:
        tagged = [trigger for trigger in area.triggers if trigger.tag == self.settings.trigger_tag]
        try:
            self.count_tests(area, tagged)
        except DamagedArea as damage:
            self.report_damage(area.name, damage)
            return
        tables = self.find_tables(area, self.make_zones(area, tagged))
        self.tables += self.with_observers(area, tables)

    def report_damage(self, area: str, damage: DamagedArea) -> None:
        self.warn(area, WarningCode.DAMAGED_AREA, str(damage))

    def count_tests(self, area: Area, tagged: Sequence[Trigger]) -> None:
        self.edge_tests += sum(len(trigger.polygon) for trigger in tagged) * len(area.placeables)
        if self.edge_tests > MOST_EDGE_TESTS:
            raise DamagedArea("The triggers have too many corners for so many placeables.")

    # -- triggers and what is inside ----------------------------------------------------------------------

    def make_zones(self, area: Area, tagged: Sequence[Trigger]) -> list[Zone]:
        """Every placeable goes to the trigger that it is in; in several, to the one with the nearest centre."""
        zones = [self.make_zone(area.name, trigger) for trigger in tagged]
        shared: Counter[tuple[str, ...]] = Counter()
        for placeable in area.placeables:
            around = [zone for zone in zones if contains(zone.polygon, placeable.position)]
            if around:
                min(around, key=lambda zone: zone.distance(placeable)).placeables.append(placeable)
            if len(around) > 1 and placeable.tag == self.settings.chair_tag:
                shared[tuple(zone.spot.id for zone in around)] += 1
        for names, chairs in shared.items():
            self.warn_overlap(area.name, names, chairs)
        return zones

    def make_zone(self, area: str, trigger: Trigger) -> Zone:
        spot = self.ids.spot(area, "trigger", trigger.tag, trigger.position)
        return Zone(spot, trigger.polygon, centre(trigger.polygon))

    def warn_overlap(self, area: str, names: Sequence[str], chairs: int) -> None:
        which = "1 chair is" if chairs == 1 else f"{chairs} chairs are"
        message = f"Triggers overlap ({', '.join(names)}): {which} in all of them and counted for the nearest centre."
        self.warn(area, WarningCode.OVERLAPPING_TRIGGERS, message)

    def find_tables(self, area: Area, zones: Iterable[Zone]) -> list[VenueTable]:
        return [table for zone in zones if (table := self.find_table(area.name, zone)) is not None]

    def find_table(self, area: str, zone: Zone) -> VenueTable | None:
        chairs = self.find_chairs(area, zone)
        if chairs is None:
            return None
        special = (self.settings.chair_tag, self.settings.observer_tag)
        others = [placeable for placeable in zone.placeables if placeable.tag not in special]
        nearest = min(others, key=zone.distance, default=None)
        if nearest is None:
            message = f"{zone.spot.id} has no table placeable; the trigger stands in for it."
            self.warn(area, WarningCode.NO_TABLE, message)
        table = None if nearest is None else self.ids.spot(area, "table", nearest.tag, nearest.position)
        return VenueTable(area, zone.spot, table, zone.centre, zone.polygon, tuple(chairs))

    def find_chairs(self, area: str, zone: Zone) -> list[Spot] | None:
        """The chairs in file order; None if they are too few for a game."""
        inside = [placeable for placeable in zone.placeables if placeable.tag == self.settings.chair_tag]
        least, most = self.settings.min_chairs, self.settings.max_chairs
        if len(inside) < least:
            few = chairs_in_words(len(inside))
            self.warn(area, WarningCode.TOO_FEW_CHAIRS, f"{zone.spot.id} has {few}; it needs {least} and is skipped.")
            return None
        if len(inside) > most:
            message = f"{zone.spot.id} has {len(inside)} chairs; only the first {most} in the file are used."
            self.warn(area, WarningCode.TOO_MANY_CHAIRS, message)
        return [self.ids.spot(area, "chair", chair.tag, chair.position) for chair in inside[:most]]

    # -- observers ----------------------------------------------------------------------------------------

    def with_observers(self, area: Area, tables: Sequence[VenueTable]) -> list[VenueTable]:
        """The tables with the observer spots that are nearest to each."""
        spots: dict[str, list[Spot]] = {table.id: [] for table in tables}
        for placeable in area.placeables:
            if placeable.tag == self.settings.observer_tag:
                observer = self.ids.spot(area.name, "observer", placeable.tag, placeable.position)
                self.link(observer, tables, spots)
        return [replace(table, observers=tuple(spots[table.id])) for table in tables]

    def link(self, observer: Spot, tables: Sequence[VenueTable], spots: dict[str, list[Spot]]) -> None:
        nearest = min(tables, key=lambda table: distance(table.position, observer.position), default=None)
        reach = self.settings.observer_distance_m
        if nearest is None or distance(nearest.position, observer.position) > reach + TOLERANCE_M:
            message = f"{observer.id} has no table within {reach:g} m, so nobody can watch from it."
            self.warn(observer.area, WarningCode.OBSERVER_WITHOUT_TABLE, message)
        else:
            spots[nearest.id].append(observer)

    def warn(self, area: str, code: WarningCode, message: str) -> None:
        """Names and messages may hold what a stranger wrote, and a terminal obeys control characters."""
        self.warnings.append(VenueWarning(only_visible(area), code, only_visible(message)))


def chairs_in_words(count: int) -> str:
    return {0: "no chairs", 1: "only 1 chair"}.get(count, f"only {count} chairs")


def discover(name: str, areas: Iterable[Area | BrokenArea], settings: DiscoverySettings) -> Venue:
    """All tables of the areas; what is wrong is a warning, and never stops the rest."""
    discovery = Discovery(settings)
    for area in areas:
        if isinstance(area, Area):
            discovery.read(area)
        else:
            discovery.report_damage(*area)
    return Venue(only_visible(name), tuple(discovery.tables), tuple(discovery.warnings))
