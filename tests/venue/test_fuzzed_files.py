"""Whatever bytes a file holds, reading it ends: with a venue, or with a sentence."""

from __future__ import annotations

import json
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nwn import gff
from nwn.types import Gender, GenderedLanguage, Language

from dicehall.venue import svg_map
from dicehall.venue.layout import Venue
from dicehall.venue.sources import VenueError, load
from tests.venue.files import Sketch, git_bytes, joined, json_text, module_bytes, table_at, toml_text, venue_content

NAME = {
    GenderedLanguage(Language.ENGLISH, Gender.MALE): "Tavern",
    GenderedLanguage(Language.POLISH, Gender.MALE): "QQQQ",
}
EXTRA = {"Name": gff.CExoLocString(5, NAME), "Blob": gff.VOID(b"1234567"), "Inner": gff.Struct(4, A=gff.Double(1.5))}
TWO = joined(table_at(10, 10, 3), table_at(13, 10, 3))
AREA = git_bytes(Sketch(TWO.triggers, TWO.placeables, EXTRA))
FOREIGN = AREA.replace(b"QQQQ", b"\x8f\x81\x90\x9d")  # no characters in code page 1252, so it is read twice
MODULE = module_bytes({"tavern": AREA, "cellar": AREA})
JSON, TOML = json_text(TWO).encode(), toml_text({"tavern": TWO}).encode()
VENUE = json.dumps(venue_content({"tavern": TWO})).encode()
SEEDS = {
    "area.git": AREA,
    "foreign.git": FOREIGN,
    "module.mod": MODULE,
    "area.git.json": JSON,
    "venue.toml": TOML,
    "venue.json": VENUE,
}
LARGE = (0, 1, 2, 4, 12, 255, 2**16, 2**24, 2**31 - 1, 2**31, 2**32 - 4, 2**32 - 1)
MOST_MEMORY = 64 * 2**20  # for files of a few kilobytes

Mutation = Callable[[bytearray], None]


def overwrite(where: int, value: int) -> Mutation:
    def apply(data: bytearray) -> None:
        struct.pack_into("<I", data, where % (len(data) - 3), value)

    return apply


def flip(where: int, value: int) -> Mutation:
    def apply(data: bytearray) -> None:
        data[where % len(data)] ^= value

    return apply


def cut(where: int) -> Mutation:
    def apply(data: bytearray) -> None:
        del data[8 + where % (len(data) - 8) :]

    return apply


def double(where: int, size: int) -> Mutation:
    def apply(data: bytearray) -> None:
        at = where % len(data)
        data[at:at] = data[at : at + size]

    return apply


places = st.integers(0, 2**16)
headers = st.integers(0, 40).map(lambda n: 4 * n)
mutations = st.one_of(
    st.builds(overwrite, st.one_of(headers, places), st.one_of(st.sampled_from(LARGE), st.integers(0, 2**12))),
    st.builds(flip, places, st.integers(1, 255)),
    st.builds(cut, places),
    st.builds(double, places, st.integers(1, 200)),
)


def read(name: str, data: bytes) -> Venue | None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            return load(path)
        except VenueError:
            return None


def mutate(name: str, changes: list[Mutation]) -> None:
    data = bytearray(SEEDS[name])
    for change in changes:
        if len(data) > 8:
            change(data)
    venue = read(name, bytes(data))
    if venue is not None:
        svg_map.draw(venue)


changes = st.lists(mutations, min_size=1, max_size=4)


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=40, deadline=None)
@given(changes=changes)
def test_a_mutated_file_gives_a_venue_or_a_sentence(name: str, changes: list[Mutation]) -> None:
    mutate(name, changes)


@pytest.mark.proof
@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=1000, deadline=None)
@given(changes=changes)
def test_thousands_of_mutated_files_give_venues_or_sentences(name: str, changes: list[Mutation]) -> None:
    mutate(name, changes)


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(sorted(SEEDS)), data=st.binary(max_size=400), keep=st.integers(0, 60))
def test_random_bytes_give_a_venue_or_a_sentence(name: str, data: bytes, keep: int) -> None:
    read(name, SEEDS[name][:keep] + data)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("Tag", "X", "Y", "Z", "XPosition", "YPosition", "ZPosition", "Geometry", "PointX", "PointY", "PointZ")


@settings(max_examples=40, deadline=None)
@given(
    triggers=st.lists(
        st.dictionaries(st.sampled_from(FIELDS), values.map(lambda value: {"value": value}), max_size=8), max_size=3
    ),
    other=values,
)
def test_json_of_any_shape_gives_a_venue(triggers: list[object], other: object) -> None:
    content = {"__data_type": "GIT ", "TriggerList": {"value": triggers}, "Placeable List": other}
    assert read("area.git.json", json.dumps(content).encode()) is not None


@pytest.mark.parametrize("value", [255, 2**31 - 1, 2**32 - 1])
def test_no_number_in_a_header_makes_a_small_file_use_much_memory(value: int) -> None:
    tracemalloc.start()
    try:
        for where in range(8, 64, 4):
            read("area.git", bytes(AREA[:where] + struct.pack("<I", value) + AREA[where + 4 :]))
            read("module.mod", bytes(MODULE[:where] + struct.pack("<I", value) + MODULE[where + 4 :]))
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
