"""Venues are read from modules, areas, folders and venue files, and a damaged area stops nothing."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path

import pytest
from nwn import erf, gff
from nwn.types import Gender, GenderedLanguage, Language

from dicehall.venue import gff as area_files
from dicehall.venue.gff import check_sizes
from dicehall.venue.layout import Venue
from dicehall.venue.sources import VenueError, load
from tests.venue.files import (
    SEAT,
    SPOT,
    ZONE,
    Sketch,
    git_bytes,
    joined,
    json_text,
    module_bytes,
    structure,
    table_at,
    toml_text,
    venue_content,
)

ODD = Sketch(  # numbers that 32-bit floats cannot hold exactly, and one of every warning
    [(ZONE, (10.1, 20.2), ((0, 0), (3.3, 0.1), (3.3, 7.7))), (ZONE, (40, 40), ((0, 0), (1, 0), (1, 1)))],
    [(SEAT, (12.7, 21.3)), (SEAT, (13.35, 24.1)), ("table", (12.9, 23.1)), (SPOT, (12.9, 43.1)), (SPOT, (90, 90))],
)
AREAS = {"tavern": joined(table_at(10, 10, 9), Sketch((), [(SPOT, (10, 30))])), "cellar": ODD, "attic": Sketch()}


def answer(venue: Venue) -> object:
    return sorted(map(repr, venue.tables)), sorted(map(repr, venue.warnings))


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def damages(venue: Venue) -> list[tuple[str, str]]:
    return [(warning.area, warning.message) for warning in venue.warnings if warning.code == "damaged_area"]


def test_every_kind_of_file_gives_the_same_answer(tmp_path: Path) -> None:
    module = write(tmp_path, "module.mod", module_bytes({name: git_bytes(area) for name, area in AREAS.items()}))
    binary, text = tmp_path / "binary", tmp_path / "text"
    binary.mkdir()
    text.mkdir()
    for name, area in AREAS.items():
        write(binary, f"{name}.git", git_bytes(area))
        write(text, f"{name}.git.json", json_text(area))
    by_hand = write(tmp_path, "venue.toml", toml_text(AREAS))
    as_json = write(tmp_path, "venue.json", json.dumps(venue_content(AREAS)))
    expected = answer(load(module))
    assert [answer(load(path)) for path in (binary, text, by_hand, as_json)] == [expected] * 4
    assert len(load(module).tables) == 2
    assert len(load(module).warnings) == 3


def test_one_area_is_named_by_its_file(tmp_path: Path) -> None:
    one = load(write(tmp_path, "Tavern.git", git_bytes(AREAS["tavern"])))
    other = load(write(tmp_path, "tavern.json", json_text(AREAS["tavern"])))  # JSON of an area without .git in its name
    assert answer(one) == answer(other)
    assert one.tables[0].area == "tavern"


def test_a_module_described_in_two_languages_can_be_read(tmp_path: Path) -> None:
    file = io.BytesIO()
    with erf.Writer(file, b"MOD ") as writer:
        writer.add_localized_string(GenderedLanguage(Language.ENGLISH, Gender.MALE), "A tavern by the road")
        writer.add_localized_string(GenderedLanguage(Language.GERMAN, Gender.MALE), "Eine Schenke am Weg")
        writer.add_file_data("tavern.git", git_bytes(AREAS["tavern"]))
    assert len(load(write(tmp_path, "module.mod", file.getvalue())).tables) == 1


def test_a_damaged_area_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    good, cut = git_bytes(AREAS["tavern"]), git_bytes(ODD)[:-40]
    module = module_bytes({"one": good, "cut": cut, "empty": b"", "wrong": b"UTC V3.2" + good[8:], "two": good})
    venue = load(write(tmp_path, "module.mod", module))
    assert [table.area for table in venue.tables] == ["one", "two"]
    assert [area for area, _ in damages(venue)] == ["cut", "empty", "wrong"]


def test_an_area_that_the_module_does_not_hold_is_damaged(tmp_path: Path) -> None:
    module = bytearray(module_bytes({"one": git_bytes(AREAS["tavern"])}))
    struct.pack_into("<I", module, len(module) - 4, 5_000_000)  # the size of the last file
    (damage,) = damages(load(write(tmp_path, "module.mod", bytes(module))))
    assert "cut short" in damage[1]


@pytest.mark.parametrize(
    "change",
    [
        {"TriggerList": {"type": "list", "value": 7}},
        {"Placeable List": {"type": "list", "value": [{"Tag": {"type": "cexostring", "value": "x"}}]}},
        {"Placeable List": {"type": "list", "value": ["chair"]}},
        {"TriggerList": {"type": "list", "value": [{"Tag": {"type": "cexostring", "value": 7}}]}},
    ],
)
def test_json_of_another_shape_is_a_damaged_area(tmp_path: Path, change: dict[str, object]) -> None:
    content = {**json.loads(json_text(AREAS["tavern"])), **change}
    venue = load(write(tmp_path, "tavern.git.json", json.dumps(content)))
    assert [area for area, _ in damages(venue)] == ["tavern"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"__data_type": "ARE "}', "[" * 100_000, "\udcff"])
def test_json_that_is_not_an_area_is_damaged(tmp_path: Path, text: str) -> None:
    venue = load(write(tmp_path, "tavern.git.json", text.encode(errors="surrogateescape")))
    assert len(damages(venue)) == 1


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e30])
def test_an_object_that_is_nowhere_damages_its_area(tmp_path: Path, value: float) -> None:
    venue = load(write(tmp_path, "tavern.git", git_bytes(joined(table_at(10, 10), Sketch((), [(SEAT, (value, 0))])))))
    assert "cannot be in an area" in damages(venue)[0][1]


def test_an_area_with_too_many_objects_is_damaged(tmp_path: Path) -> None:
    crowd = venue_content({"crowd": Sketch((), [("t", (1, 1))] * 20_001), "tavern": table_at(10, 10)})
    venue = load(write(tmp_path, "venue.json", json.dumps(crowd)))
    assert ([table.area for table in venue.tables], damages(venue)[0][0]) == (["tavern"], "crowd")


def test_a_trigger_has_a_bounded_number_of_corners_and_so_do_all_together(tmp_path: Path) -> None:
    ring = [(float(n % 7), float(n % 5)) for n in range(1001)]
    many = Sketch([(ZONE, (0, 0), ring[:1000])] * 50, [("t", (90, 90))] * 200)
    content = venue_content(
        {"ring": Sketch([(ZONE, (0, 0), ring)]), "many": many, "none": Sketch([(ZONE, (0, 0), ())])}
    )
    venue = load(write(tmp_path, "venue.json", json.dumps(content)))
    assert [area for area, _ in damages(venue)] == ["ring", "many", "none"]


def test_a_file_that_names_the_same_bytes_over_and_over_is_not_read(tmp_path: Path) -> None:
    blob = git_bytes(Sketch(extra={"Blob": gff.VOID(b"x" * 100_000)}))
    struct_offset, struct_count = struct.unpack_from("<II", blob, 8)
    assert struct_count == 1
    copies = [struct.pack("<III", 0, 2, 1)] * 5000  # each with the blob as its only field
    bomb = bytearray(blob + blob[struct_offset : struct_offset + 12] + b"".join(copies))
    struct.pack_into("<II", bomb, 8, len(blob), 5001)
    check_sizes(blob)
    venue = load(write(tmp_path, "bomb.git", bytes(bomb)))
    assert "more values than the file can hold" in damages(venue)[0][1]


def test_localized_texts_are_read_over(tmp_path: Path) -> None:
    names = {
        GenderedLanguage(Language.ENGLISH, Gender.MALE): "Tavern",
        GenderedLanguage(Language.GERMAN, Gender.MALE): "Schenke",
    }
    sketch = Sketch(AREAS["tavern"].triggers, AREAS["tavern"].placeables, {"Name": gff.CExoLocString(5, names)})
    assert len(load(write(tmp_path, "tavern.git", git_bytes(sketch))).tables) == 1


def test_texts_in_another_code_page_do_not_matter(tmp_path: Path) -> None:
    names = {
        GenderedLanguage(Language.ENGLISH, Gender.MALE): "Tavern",
        GenderedLanguage(Language.POLISH, Gender.MALE): "QQQQ",
    }
    more = {"Name": gff.CExoLocString(5, names), "Comment": gff.CExoString("QQQQ")}
    area = git_bytes(Sketch(AREAS["tavern"].triggers, AREAS["tavern"].placeables, more))
    assert area.count(b"QQQQ") == 2
    foreign = area.replace(b"QQQQ", b"\x8f\x81\x90\x9d")  # no characters in code page 1252
    venue = load(write(tmp_path, "tavern.git", foreign))
    assert answer(venue) == answer(load(write(tmp_path, "tavern.git", area)))


def test_without_the_nwn_package_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = write(tmp_path, "module.mod", module_bytes({"tavern": git_bytes(AREAS["tavern"])}))
    area, text = write(tmp_path, "tavern.git", git_bytes(ODD)), write(tmp_path, "cellar.git.json", json_text(ODD))
    monkeypatch.setattr(area_files, "find_spec", lambda _: None)
    for path in (module, area):
        with pytest.raises(VenueError, match=r"dicehall\[nwn\]"):
            load(path)
    assert len(load(text).tables) == 1


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.mod", None, "no such file"),
        ("empty.mod", b"", "not a module"),
        ("other.mod", b"PK\3\4" * 100, "not a module"),
        ("list.mod", b"MOD V1.0" + b"\xff" * 160, "list of files is damaged"),
        ("notes.txt", b"", "is not a .mod"),
        ("venue.toml", b"areas = 7", "not valid"),
        ("venue.toml", b"= 1", "not valid TOML"),
        ("venue.toml", b"\xff", "not valid TOML"),
        ("venue.toml", b"[[areas]]\nname = 'x'\n[settings]\nmin_chairs = 'two'", "must be a whole number from 2 to 6"),
        ("venue.toml", b"areas = []\n[settings]\nchair_tagg = 'seat'", "there is no setting 'chair_tagg'"),
        ("venue.toml", b"areas = []\n[settings]\nmin_chairs = 4\nmax_chairs = 3", "min_chairs is 4"),
        ("venue.toml", b"x = " + b"[" * 5000, "nested too deeply"),
        ("venue.json", b"{}", "not valid"),
        ("venue.json", b"[" * 100_000, "nested too deeply"),
        ("venue.json", b'{"areas": [], "colour": "red"}', "unknown field"),
    ],
)
def test_a_file_that_is_not_a_venue_is_refused_with_a_sentence(
    tmp_path: Path, name: str, content: bytes | None, words: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(VenueError, match=words):
        load(path)


def test_a_folder_without_areas_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VenueError, match=r"no \*\.git\.json"):
        load(tmp_path)


def test_a_bad_area_of_a_venue_file_is_damaged_and_the_others_are_read(tmp_path: Path) -> None:
    content = venue_content({"tavern": table_at(10, 10)})
    bad = [{"name": "attic", "triggers": [{"position": [1]}]}, {"name": "a b"}, {"placeables": []}, {"name": 7}]
    path = write(tmp_path, "venue.json", json.dumps({"areas": [*bad, *content["areas"]]}))  # type: ignore[misc]
    venue = load(path)
    assert [area for area, _ in damages(venue)] == ["attic", "a b", "area 3", "area 4"]
    assert [table.area for table in venue.tables] == ["tavern"]


def test_a_trigger_without_a_tag_in_a_venue_file_has_the_tag_of_tables(tmp_path: Path) -> None:
    content = venue_content({"tavern": table_at(10, 10)})
    del content["areas"][0]["triggers"][0]["tag"]  # type: ignore[index]
    path = write(tmp_path, "venue.json", json.dumps({**content, "settings": {"trigger_tag": "dice"}}))
    assert len(load(path).tables) == 1
    assert len(load(path, {"trigger_tag": "cards"}).tables) == 1


def test_flags_count_more_than_the_settings_of_the_file(tmp_path: Path) -> None:
    content = {**venue_content({"tavern": table_at(10, 10, 4)}), "settings": {"max_chairs": 3}}
    path = write(tmp_path, "venue.json", json.dumps(content))
    assert [len(load(path, flags).tables[0].chairs) for flags in ({}, {"max_chairs": 2})] == [3, 2]


def test_the_structure_in_code_is_what_the_nwn_package_reads_back() -> None:
    root, kind = gff.read(io.BytesIO(git_bytes(ODD)))
    assert (kind, len(root["TriggerList"])) == (b"GIT ", len(structure(ODD)["TriggerList"]))
