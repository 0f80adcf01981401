"""Which tables discovery finds in an area, and what it warns about."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.venue.layout import Venue
from dicehall.venue.sources import VenueError
from tests.venue.files import SEAT, SPOT, SQUARE, ZONE, Sketch, found, joined, table_at

U_SHAPE = ((0, 0), (9, 0), (9, 9), (6, 9), (6, 3), (3, 3), (3, 9), (0, 9))


def codes(venue: Venue) -> list[str]:
    return [warning.code for warning in venue.warnings]


def chairs(venue: Venue) -> list[list[tuple[float, float]]]:
    return [[(chair.x, chair.y) for chair in table.chairs] for table in venue.tables]


def test_a_table_has_the_chairs_inside_its_trigger_in_file_order(tmp_path: Path) -> None:
    venue = found(tmp_path, table_at(10, 10, chairs=4))
    assert chairs(venue) == [[(8, 11), (8.5, 11), (9, 11), (9.5, 11)]]
    assert venue.warnings == ()


def test_an_object_is_named_by_area_kind_and_position(tmp_path: Path) -> None:
    (table,) = found(tmp_path, table_at(10, 10, chairs=2)).tables
    assert (table.id, table.trigger.id) == ("tavern:table:10.00,10.00,0.00", "tavern:trigger:10.00,10.00,0.00")
    assert [chair.id for chair in table.chairs] == ["tavern:chair:8.00,11.00,0.00", "tavern:chair:8.50,11.00,0.00"]


def test_two_chairs_at_the_same_place_have_different_ids(tmp_path: Path) -> None:
    sketch = Sketch([(ZONE, (0, 0), SQUARE)], [(SEAT, (1, 1)), (SEAT, (1, 1)), ("table", (0, 0))])
    (table,) = found(tmp_path, sketch).tables
    assert [chair.id for chair in table.chairs] == ["tavern:chair:1.00,1.00,0.00", "tavern:chair:1.00,1.00,0.00#2"]


def test_only_tagged_triggers_and_chairs_count(tmp_path: Path) -> None:
    sketch = joined(table_at(10, 10), Sketch([("trap", (30, 30), SQUARE)], [(SEAT, (30, 30)), ("chair", (10, 9))]))
    venue = found(tmp_path, sketch)
    assert [len(table.chairs) for table in venue.tables] == [4]


@pytest.mark.parametrize("edge", [(13, 10), (7, 10), (10, 13), (10, 7), (13, 13), (7, 7), (13.0005, 10)])
def test_a_chair_on_the_edge_or_corner_is_inside(tmp_path: Path, edge: tuple[float, float]) -> None:
    venue = found(tmp_path, joined(table_at(10, 10, chairs=1), Sketch((), [(SEAT, edge)])))
    assert len(venue.tables[0].chairs) == 2


def test_a_chair_beside_the_trigger_is_outside(tmp_path: Path) -> None:
    venue = found(tmp_path, joined(table_at(10, 10, chairs=2), Sketch((), [(SEAT, (13.01, 10)), (SEAT, (10, 6.99))])))
    assert len(venue.tables[0].chairs) == 2


def test_a_chair_in_the_bay_of_a_concave_trigger_is_outside(tmp_path: Path) -> None:
    inside = [(1, 8), (8, 8), (1, 1), (4.5, 1), (3, 6)]
    bay = [(4.5, 8), (4.5, 4), (3.1, 6)]
    sketch = Sketch([(ZONE, (20, 20), U_SHAPE)], [(SEAT, (20 + x, 20 + y)) for x, y in inside + bay])
    assert chairs(found(tmp_path, sketch)) == [[(20 + x, 20 + y) for x, y in inside]]


def test_the_direction_of_the_corners_does_not_matter(tmp_path: Path) -> None:
    placeables = [(SEAT, (1.0, 8.0)), (SEAT, (8.0, 8.0)), (SEAT, (4.5, 8.0))]
    one = found(tmp_path, Sketch([(ZONE, (0, 0), U_SHAPE)], placeables))
    other = found(tmp_path, Sketch([(ZONE, (0, 0), U_SHAPE[::-1])], placeables))
    assert chairs(one) == chairs(other) == [[(1, 8), (8, 8)]]


@pytest.mark.parametrize(("count", "words"), [(0, "no chairs"), (1, "only 1 chair")])
def test_fewer_than_two_chairs_are_warned_about_and_the_table_is_skipped(
    tmp_path: Path, count: int, words: str
) -> None:
    venue = found(tmp_path, table_at(10, 10, chairs=count))
    assert (venue.tables, codes(venue)) == ((), ["too_few_chairs"])
    assert words in venue.warnings[0].message


def test_of_nine_chairs_the_first_six_in_the_file_are_used(tmp_path: Path) -> None:
    venue = found(tmp_path, table_at(10, 10, chairs=9))
    assert chairs(venue) == [[(8 + 0.5 * number, 11) for number in range(6)]]
    assert codes(venue) == ["too_many_chairs"]


def test_the_table_is_the_placeable_nearest_to_the_centre(tmp_path: Path) -> None:
    others = [("lamp", (11.0, 10.0)), ("board", (10.2, 10.0)), ("outside", (20.0, 10.0)), (SPOT, (10.0, 10.0))]
    sketch = Sketch([(ZONE, (10, 10), SQUARE)], [(SEAT, (10, 10)), (SEAT, (9, 10)), *others])
    (table,) = found(tmp_path, sketch).tables
    assert table.table is not None
    assert (table.table.tag, table.id) == ("board", "tavern:table:10.20,10.00,0.00")


def test_the_centre_is_that_of_the_polygon_and_not_of_the_trigger(tmp_path: Path) -> None:
    corners = [(0, 0), (8, 0), (8, 8), (0, 8)]
    placeables = [(SEAT, (1.0, 1.0)), (SEAT, (2.0, 1.0)), ("corner", (0.5, 0.5)), ("middle", (5.0, 5.0))]
    (table,) = found(tmp_path, Sketch([(ZONE, (0, 0), corners)], placeables)).tables
    assert table.table is not None
    assert table.table.tag == "middle"


def test_without_a_table_placeable_the_trigger_stands_in(tmp_path: Path) -> None:
    venue = found(tmp_path, Sketch([(ZONE, (10, 10), SQUARE)], [(SEAT, (9, 9)), (SEAT, (11, 11))]))
    (table,) = venue.tables
    assert (table.table, table.id, codes(venue)) == (None, table.trigger.id, ["no_table"])


def test_a_chair_in_two_triggers_belongs_to_the_nearer_centre(tmp_path: Path) -> None:
    shared = Sketch((), [(SEAT, (12.4, 9.0)), (SEAT, (12.6, 9.0))])
    venue = found(tmp_path, joined(table_at(10, 10, chairs=2), table_at(15, 10, chairs=1), shared))
    assert chairs(venue) == [[(8, 11), (8.5, 11), (12.4, 9)], [(13, 11), (12.6, 9)]]
    assert codes(venue) == ["overlapping_triggers"]
    assert "3 chairs are in all of them" in venue.warnings[0].message


def test_triggers_that_overlap_without_a_chair_in_both_are_fine(tmp_path: Path) -> None:
    left = Sketch([(ZONE, (10, 10), SQUARE)], [("table", (10, 10)), (SEAT, (8, 10)), (SEAT, (9, 10))])
    right = Sketch([(ZONE, (15, 10), SQUARE)], [("table", (15, 10)), (SEAT, (17, 10)), (SEAT, (16, 10))])
    assert found(tmp_path, joined(left, right)).warnings == ()


def test_one_placeable_is_never_the_table_of_two_triggers(tmp_path: Path) -> None:
    seats = [(SEAT, (x, 9.0)) for x in (8.0, 9.0, 16.0, 17.0)]
    sketch = Sketch([(ZONE, (10, 10), SQUARE), (ZONE, (15, 10), SQUARE)], [("table", (12.4, 10.0)), *seats])
    venue = found(tmp_path, sketch)
    assert [table.table is not None for table in venue.tables] == [True, False]
    assert codes(venue) == ["no_table"]


@pytest.mark.parametrize(("distance", "linked"), [(5.0, True), (20.0, True), (20.01, False), (500.0, False)])
def test_an_observer_is_linked_to_a_table_within_twenty_metres(tmp_path: Path, distance: float, linked: bool) -> None:
    venue = found(tmp_path, joined(table_at(10, 10), Sketch((), [(SPOT, (10 + distance, 10))])))
    assert len(venue.tables[0].observers) == linked
    assert codes(venue) == ([] if linked else ["observer_without_table"])


def test_an_observer_is_linked_to_the_nearest_table(tmp_path: Path) -> None:
    venue = found(
        tmp_path, joined(table_at(10, 10), table_at(20, 10), Sketch((), [(SPOT, (15.1, 10)), (SPOT, (5, 5))]))
    )
    assert [[spot.x for spot in table.observers] for table in venue.tables] == [[5], [15.1]]


def test_a_skipped_table_gets_no_observers(tmp_path: Path) -> None:
    venue = found(tmp_path, joined(table_at(10, 10, chairs=1), table_at(25, 10), Sketch((), [(SPOT, (11, 10))])))
    assert [len(table.observers) for table in venue.tables] == [1]


def test_an_area_without_triggers_has_no_tables_and_nothing_wrong(tmp_path: Path) -> None:
    venue = found(tmp_path, Sketch())
    assert (venue.tables, venue.warnings) == ((), ())


def test_tags_limits_and_distance_are_settings(tmp_path: Path) -> None:
    sketch = Sketch([("dice", (10, 10), SQUARE)], [("t", (10, 10)), *[("stool", (8.0 + n, 11.0)) for n in range(4)]])
    sketch = joined(sketch, Sketch((), [("window", (10, 14))]))
    tags = {"trigger_tag": "dice", "chair_tag": "stool", "observer_tag": "window"}
    assert found(tmp_path, sketch).tables == ()
    assert codes(found(tmp_path, sketch, **tags)) == []
    assert codes(found(tmp_path, sketch, **tags, max_chairs=3)) == ["too_many_chairs"]
    assert codes(found(tmp_path, sketch, **tags, min_chairs=5)) == ["too_few_chairs", "observer_without_table"]
    assert codes(found(tmp_path, sketch, **tags, observer_distance_m=3.5)) == ["observer_without_table"]


@pytest.mark.parametrize(
    "settings",
    [
        {"min_chairs": 1},
        {"max_chairs": 7},
        {"min_chairs": 5, "max_chairs": 4},
        {"observer_distance_m": -1.0},
        {"chair_tag": ""},
        {"chair_tag": "game_aetharn"},
        {"colour": "red"},
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_a_sentence(tmp_path: Path, settings: dict[str, object]) -> None:
    with pytest.raises(VenueError, match="settings are not valid"):
        found(tmp_path, table_at(10, 10), **settings)
