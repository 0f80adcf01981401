"""The contract between rooms can break: made-up imports against a made-up table."""

from __future__ import annotations

import pytest

from tools.rooms import breaches, reach_of

ROWS = ["core:", "games: core", "dice: core", "wire: games", "launch: *"]


def broken(importer: str, imported: str) -> bool:
    return breaches([(importer, imported)], reach_of(ROWS), "hall") != []


def test_a_room_may_import_its_row_and_what_lies_below_it() -> None:
    assert reach_of(ROWS)["wire"] == {"games", "core"}


def test_a_star_stands_for_every_room_above() -> None:
    assert reach_of(ROWS)["launch"] == {"core", "games", "dice", "wire"}


def test_a_row_cannot_name_a_room_below_it() -> None:
    with pytest.raises(ValueError, match="the row of core names games"):
        reach_of(["core: games", "games: core"])


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("hall.core.fold", "hall.games"),  # upwards
        ("hall.wire.record", "hall.dice.sealed"),  # downwards, but not in the row
        ("hall.wire", "hall.dice"),
        ("hall.attic", "hall.core"),  # a room without a row
    ],
)
def test_an_import_outside_the_row_breaks_the_contract(importer: str, imported: str) -> None:
    assert broken(importer, imported)


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("hall.wire.record", "hall.core.fold"),
        ("hall.wire.record", "hall.wire.errors"),  # at home
        ("hall.wire.record", "msgspec"),
        ("hall.wire.record", "hall"),
    ],
)
def test_an_import_within_the_row_keeps_it(importer: str, imported: str) -> None:
    assert not broken(importer, imported)
