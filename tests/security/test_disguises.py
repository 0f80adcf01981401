"""Attacks on what people read: names that pass for others, and characters that nobody sees or that turn the text."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from dicehall.hall import names, opening
from dicehall.table import decide
from tests.security.live import both_ways
from tests.server.doors import Doors, open_doors

HIDDEN = {
    "right-to-left override": "safe\u202eelbat",
    "isolate": "a\u2066b\u2069",
    "zero width space": "a\u200bb",
    "zero width joiner": "a\u200db",
    "soft hyphen": "a\u00adb",
    "Hangul filler": "\u3164",
    "variation selector": "a\ufe0f",
    "combining grapheme joiner": "a\u034fb",
    "empty Braille cell": "\u2800",
    "tag": "a\U000e0041",
}
hidden = pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN.keys())
DIGITS = "0123456789abcdef" * 2


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    with open_doors(tmp_path) as opened:
        yield opened


def everything_is_visible(text: str) -> bool:
    """Switches the guard off."""
    return True


@both_ways
@pytest.mark.parametrize("name", ["ᗩnn", "Аnn", "Annа", "ꓮnn"])
def test_a_letter_of_another_script_does_not_pass_for_somebody_elses_name(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, name: str, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(names, "is_one_script", everything_is_visible)
        monkeypatch.setattr(names, "skeleton", str)
    doors.guest("Ann").post("/api/accounts", {"name": "Ann", "password": "correct horse"})
    ways = [
        doors.nobody.ask("POST", "/api/accounts/guest", {"name": name}),
        doors.guest("Eve").ask("PATCH", "/api/me", {"name": name}),
    ]
    harmed = any(answer.status_code == 200 for answer in ways)
    assert harmed is not guarded


@both_ways
@pytest.mark.parametrize("name", ["ᴀnn", "ᴀɴɴ"])
def test_small_capitals_do_not_pass_for_somebody_elses_name(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, name: str, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(names, "skeleton", str)
    doors.guest("Ann").post("/api/accounts", {"name": "Ann", "password": "correct horse"})
    answer = doors.guest("Eve").ask("POST", "/api/accounts", {"name": name, "password": "correct horse"})
    harmed = answer.status_code == 200
    assert harmed is not guarded


@both_ways
@hidden
def test_a_user_name_with_invisible_characters_is_refused(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, text: str, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(names, "is_visible", everything_is_visible)
    ways = [
        doors.nobody.ask("POST", "/api/accounts/guest", {"name": text}),
        doors.guest("Eve").ask("PATCH", "/api/me", {"name": f"{text}!"}),
        doors.guest("Zoe").ask("POST", "/api/accounts", {"name": f"{text}?", "password": "correct horse"}),
    ]
    for answer in ways:
        harmed = answer.status_code == 200
        assert harmed is not guarded


@both_ways
@hidden
def test_a_table_name_with_invisible_characters_is_refused(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, text: str, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(opening, "is_visible", everything_is_visible)
    eve = doors.guest("Eve")
    answer = eve.ask("POST", "/api/tables", {"game": "wards", "name": text})
    harmed = answer.status_code == 200
    assert harmed is not guarded
    if guarded:
        assert answer.json()["error"]["code"] == "bad_request"


@both_ways
@hidden
def test_words_with_invisible_characters_are_not_mixed_into_the_dice(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, text: str, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(decide, "is_visible", everything_is_visible)
    ann, eve = doors.guest("Ann"), doors.guest("Eve")
    table = ann.open("wards")
    ann.sit(table)
    words = text + DIGITS
    eve.sit(table, commitment=sha256(f"dicehall/words\n{words}".encode()).hexdigest())
    harmed = eve.ask("POST", f"/api/tables/{table}/words", {"words": words}).status_code == 200
    assert harmed is not guarded
