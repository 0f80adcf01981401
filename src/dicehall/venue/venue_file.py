"""Venue files: areas written by hand in TOML or JSON, for a world that is not Neverwinter Nights, or for trying things.

    name = "The Gilded Griffin"

    [settings]                      # optional, see settings.py
    observer_distance_m = 15.0

    [[areas]]
    name = "griffin"

    [[areas.triggers]]
    position = [8.0, 6.0]           # x and y in metres, and a height if you like
    polygon = [[-3, -3], [3, -3], [3, 3], [-3, 3]]   # relative to the position

    [[areas.placeables]]
    tag = "aetharn_player_seat"
    position = [6.5, 6.0, 0.0]

A trigger without a tag has the tag of tables. JSON has the same names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from dicehall.venue.areas import (
    LONGEST_TAG,
    Area,
    DamagedArea,
    Placeable,
    Trigger,
    check_count,
    make_position,
    make_trigger,
)
from dicehall.venue.discovery import BrokenArea
from dicehall.venue.settings import read_settings

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
AreaName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,16}\Z")]  # as in Neverwinter Nights; ids contain it
Tag = Annotated[str, msgspec.Meta(max_length=LONGEST_TAG)]
Point = Annotated[list[float], msgspec.Meta(min_length=2, max_length=3)]


class VenueFileError(ValueError):
    """A venue file that cannot be read at all; the sentence is for a person."""


class PlaceableEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    position: Point
    tag: Tag = ""


class TriggerEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    position: Point
    polygon: list[Point]
    tag: Tag | None = None


class AreaEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: AreaName
    triggers: list[TriggerEntry] = []
    placeables: list[PlaceableEntry] = []


class VenueFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    areas: list[dict[str, Any]]
    name: Name | None = None
    settings: dict[str, Any] = {}


def decode_toml(data: bytes) -> object:
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # a number with too many digits is a ValueError of its own
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise VenueFileError(f"The venue file is not valid TOML: {reason}.") from None


def decode_json(data: bytes) -> object:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise VenueFileError(f"The file is not valid JSON: {reason}.") from None


def read_venue(content: object, overrides: Mapping[str, object], most_areas: int) -> VenueFile:
    """A venue file with some of its settings replaced."""
    try:
        venue = msgspec.convert(content, VenueFile)
    except (msgspec.ValidationError, RecursionError) as error:
        raise VenueFileError(f"The venue file is not valid: {error}.") from None
    if len(venue.areas) > most_areas:
        raise VenueFileError(f"The venue file has {len(venue.areas)} areas; at most {most_areas} are read.")
    return msgspec.structs.replace(venue, settings={**venue.settings, **overrides})


def areas_of(venue: VenueFile) -> Iterator[Area | BrokenArea]:
    table_tag = read_settings(venue.settings).trigger_tag
    for number, entry in enumerate(venue.areas, 1):
        yield read_area(entry, number, table_tag)


def read_area(entry: Mapping[str, Any], number: int, table_tag: str) -> Area | BrokenArea:
    name = entry.get("name")
    shown = name if isinstance(name, str) and 0 < len(name) <= LONGEST_TAG else f"area {number}"
    try:
        return area_of(msgspec.convert(entry, AreaEntry), table_tag)
    except msgspec.ValidationError as error:
        return shown, DamagedArea(f"The area is not valid: {error}.")
    except DamagedArea as damage:
        return shown, damage


def area_of(entry: AreaEntry, table_tag: str) -> Area:
    check_count(len(entry.triggers), len(entry.placeables))
    triggers = tuple(trigger_of(trigger, table_tag) for trigger in entry.triggers)
    return Area(entry.name, triggers, tuple(map(placeable_of, entry.placeables)))


def placeable_of(entry: PlaceableEntry) -> Placeable:
    return Placeable(entry.tag, make_position(*three(entry.position)))


def trigger_of(entry: TriggerEntry, table_tag: str) -> Trigger:
    tag = table_tag if entry.tag is None else entry.tag
    return make_trigger(tag, make_position(*three(entry.position)), [three(point) for point in entry.polygon])


def three(point: list[float]) -> tuple[float, float, float]:
    x, y, z = (*point, 0.0)[:3]
    return x, y, z
