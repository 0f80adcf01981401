"""``dicehall venue``: tables of a file in words, as JSON and as a map; the previewer; the demo as a process."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import urllib.request
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dicehall.launch.venue import TRY
from dicehall.venue.sample import TAVERN
from tests.launch.running import COMMAND, environment, run
from tests.venue.files import SEAT, SPOT, ZONE, Sketch, git_bytes, joined, module_bytes, table_at
from tests.venue.windows import GALLERY, GALLERY_BINDS, window

WAIT_S = 60


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A good table, one with nine chairs and no table, one with a chair only, a lost observer, and a damaged area."""
    nine = Sketch([(ZONE, (30, 10), ((-5, -3), (5, -3), (5, 3), (-5, 3)))], [(SEAT, (26 + n, 10)) for n in range(9)])
    lone = Sketch([(ZONE, (60, 10), ((-1, -1), (1, -1), (1, 1), (-1, 1)))], [(SEAT, (60, 10)), (SPOT, (90, 90))])
    shared = Sketch([(ZONE, (14, 10), ((-2, -3), (3, -3), (3, 3), (-2, 3)))], [(SEAT, (12.5, 9)), (SEAT, (16, 9))])
    area = git_bytes(joined(table_at(10, 10), shared, nine, lone, Sketch((), [(SPOT, (10, 12))])))
    file = tmp_path / "module.mod"
    file.write_bytes(module_bytes({"tavern": area, "ruin": area[:100]}))
    return file


def test_json_has_the_tables_and_every_kind_of_warning(module: Path) -> None:
    ran = run("venue", str(module), "--json")
    assert ran.code == 0
    found = ran.last
    assert set(found) == {"tables", "warnings"}
    assert found["tables"][0] == {
        "area": "tavern",
        "trigger": "tavern:trigger:10.00,10.00,0.00",
        "table": "tavern:table:10.00,10.00,0.00",
        "chairs": [f"tavern:chair:{x:.2f},11.00,0.00" for x in (8, 8.5, 9, 9.5)],
        "observers": ["tavern:observer:10.00,12.00,0.00"],
    }
    assert {(one["area"], one["code"]) for one in found["warnings"]} == {
        ("tavern", "overlapping_triggers"),
        ("tavern", "too_many_chairs"),
        ("tavern", "no_table"),
        ("tavern", "too_few_chairs"),
        ("tavern", "observer_without_table"),
        ("ruin", "damaged_area"),
    }
    assert all(one["message"].endswith(".") for one in found["warnings"])


def test_words_for_a_person(module: Path) -> None:
    ran = run("venue", str(module))
    assert ran.out.startswith("module: 3 tables, 7 warnings\n")
    assert "Table 1 in area tavern\n  table     tavern:table:10.00,10.00,0.00\n" in ran.out
    assert "(the trigger stands in)" in ran.out
    assert "nobody can watch" in ran.out
    assert "(damaged_area)" in ran.out


def test_a_map_is_written(tmp_path: Path) -> None:
    out = tmp_path / "map.svg"
    assert run("venue", str(TAVERN), "--svg", str(out), "--json").code == 0
    assert len([one for one in ElementTree.parse(out).iter() if one.get("class") == "chair"]) == 9


def test_flags_change_tags_limits_and_distance() -> None:
    assert run("venue", str(TAVERN), "--max-chairs", "2", "--json").last["tables"][1]["chairs"][2:] == []
    assert run("venue", str(TAVERN), "--observer-distance", "1", "--json").last["tables"][0]["observers"] == []
    nothing = run("venue", str(TAVERN), "--chair-tag", "stool")
    assert (nothing.code, nothing.out.splitlines()[0]) == (1, "The Gilded Griffin: no tables, 4 warnings")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nowhere.mod",), f"nowhere.mod cannot be read: no such file or directory. {TRY}"),
        (
            (str(TAVERN), "--min-chairs", "9"),
            "The settings are not valid: min_chairs must be a whole number from 2 to 6, not 9.",
        ),
        ((str(TAVERN), "--min-chairs", "abc"), "--min-chairs must be a whole number from 2 to 6, not 'abc'."),
        (
            (str(TAVERN), "--max-chairs", "-1"),
            "The settings are not valid: max_chairs must be a whole number from 2 to 6, not -1.",
        ),
        (
            (str(TAVERN), "--observer-distance", "near"),
            "--observer-distance must be a number of metres from 0 to 1000, not 'near'.",
        ),
        (("demo", "--chair-tag", "stool"), "--chair-tag has no effect on demo; it is for the tables in a FILE."),
        (("demo", "--svg", "map.svg"), "--svg has no effect on demo; it is for the tables in a FILE."),
        (("preview", "-", "--min-chairs", "3"), "--min-chairs has no effect on preview"),
        ((str(TAVERN), "window.json"), "Only preview takes a second file."),
        ((str(TAVERN), "--svg", "/nowhere/map.svg"), "/nowhere/map.svg cannot be written: no such file or directory."),
        (("preview",), "Which window?"),
        (("preview", "nowhere.json"), "nowhere.json cannot be read"),
        (("demo", "--port", "http"), "--port"),
        (("demo", "--goal", "5"), "--goal"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    ran = run("venue", *words)
    assert ran.code == 2
    assert ran.err.startswith(f"dicehall: {sentence}") or sentence in ran.err
    assert "Traceback" not in ran.err


def test_the_help_has_examples() -> None:
    ran = run("venue", "--help")
    assert ran.code == 0
    assert "dicehall venue demo" in ran.out


def test_a_window_becomes_a_page() -> None:
    command = json.dumps({"op": "create", "nui": GALLERY, "binds": GALLERY_BINDS}).encode()
    ran = run("venue", "preview", "-", given=command)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("<!doctype html>")


def test_an_unknown_element_of_a_window_is_an_error() -> None:
    bad = json.dumps(window({"type": "dial"})).encode()
    ran = run("venue", "preview", "-", given=bad)
    assert (ran.code, ran.err) == (1, "root: there is no element 'dial'\n")
    checked = run("venue", "preview", "-", "--json", given=bad)
    assert (checked.code, checked.last["problems"][0]["code"]) == (1, "unknown_element")


@pytest.mark.parametrize("given", [b"", b"{", b"[" * 100_000, b"x" * (2 * 2**20 + 1)])
def test_what_is_not_a_window_is_refused(given: bytes) -> None:
    ran = run("venue", "preview", "-", given=given)
    assert (ran.code, ran.out) == (2, "")


def test_the_demo_runs_until_it_is_interrupted() -> None:
    command = [*COMMAND, "venue", "demo", "--port", "0", "--no-open", "--fast"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as demo:
        try:
            assert demo.stdout is not None
            line = demo.stdout.readline()
            found = re.search(r"The Gilded Griffin is running at (\S+)\. Press Ctrl-C to stop\.", line)
            assert found is not None
            with urllib.request.urlopen(f"{found[1]}/", timeout=WAIT_S) as answer:
                assert b"<h1>The Gilded Griffin</h1>" in answer.read()
            demo.send_signal(signal.SIGINT)
            _, err = demo.communicate(timeout=WAIT_S)
        finally:
            demo.kill()
    assert "Traceback" not in err
