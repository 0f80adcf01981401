"""The map of a venue shows every object with its id, and is sound XML whatever the names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from dicehall.venue import svg_map
from dicehall.venue.layout import Venue
from dicehall.venue.sample import tavern
from tests.venue.files import SEAT, SQUARE, ZONE, Sketch, found

SVG = "{http://www.w3.org/2000/svg}"


def ids_of(picture: str, kind: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return [one.get("data-id", "") for one in root.iter() if one.get("class") == kind]


def test_the_map_shows_polygons_tables_chairs_and_observers_with_their_ids() -> None:
    venue = tavern()
    picture = svg_map.draw(venue)
    assert ids_of(picture, "zone") == [table.trigger.id for table in venue.tables]
    assert ids_of(picture, "table") == [table.id for table in venue.tables]
    assert ids_of(picture, "chair") == [chair.id for table in venue.tables for chair in table.chairs]
    assert ids_of(picture, "observer") == [spot.id for table in venue.tables for spot in table.observers]
    words = [one.text or "" for one in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert all(any(chair.id in line for line in words) for table in venue.tables for chair in table.chairs)


def test_tables_and_their_observer_spots_have_the_numbers_of_the_venue() -> None:
    root = ElementTree.fromstring(svg_map.draw(tavern(), legend=False))
    labels = [one.text for one in root.iter(f"{SVG}text") if one.get("class") == "number"]
    assert [label for label in labels if label and not label.isdigit()] == ["T1", "O1", "T2", "O2"]


def test_north_is_up_and_east_is_right(tmp_path: Path) -> None:
    venue = found(tmp_path, Sketch([(ZONE, (10, 10), SQUARE)], [(SEAT, (10, 12)), (SEAT, (12, 10)), ("t", (10, 10))]))
    circles = list(ElementTree.fromstring(svg_map.draw(venue)).iter(f"{SVG}circle"))
    (north_x, north_y), (east_x, east_y) = [(float(c.get("cx", 0)), float(c.get("cy", 0))) for c in circles]
    assert north_x < east_x
    assert north_y < east_y


def test_names_are_escaped() -> None:
    (table, *_) = tavern().tables
    chair = replace(table.chairs[0], id="\"><script>alert('x')</script>&")
    venue = Venue('</svg><b>"&', (replace(table, area="<i>&", chairs=(chair, *table.chairs[1:])),))
    picture = svg_map.draw(venue)
    assert ids_of(picture, "chair")[0] == chair.id
    assert "<script" not in picture
    assert "<b>" not in picture


def test_an_empty_venue_has_a_map_that_says_so() -> None:
    assert "No tables were found." in svg_map.draw(Venue("Empty", ()))
