"""The page about sealed dice, and the box where a record is checked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.tables import no_sideways

ROOT = Path(__file__).resolve().parents[2]
PROMISE = (
    "the dice were fixed before anybody sat down, mixed with words the host could not know when it fixed them, "
    "and never changed."
)


def record() -> dict[str, Any]:
    """The record that the documents offer for trying a verifier on."""
    text = (ROOT / "docs" / "sealed-dice.md").read_text(encoding="utf-8")
    found = re.search(r"```json\n(.+?)```", text, re.DOTALL)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


def check(page: Page, text: str, seal: str = "") -> None:
    page.get_by_label("… or paste the record").fill(text)
    page.get_by_label("The seal you saw").fill(seal)
    page.get_by_role("button", name="Check the dice").click()


def test_the_promise_stands_there_word_for_word(people: Visitors) -> None:
    page = people.page("/sealed")
    expect(page.get_by_role("blockquote")).to_have_text(PROMISE)
    expect(page.get_by_text("The host could know upcoming dice or stop a game")).to_be_visible()


def test_a_record_is_checked_here_and_by_the_hall(people: Visitors) -> None:
    page = people.page("/sealed")
    check(page, json.dumps(record()), record()["seal"]["s0"].upper())
    expect(page.get_by_role("heading", name="All 7 rolls match the seal")).to_be_visible()
    expect(page.get_by_text("The seal is the one you saw before the game.")).to_be_visible()
    expect(page.get_by_text("The server says:")).to_be_visible()
    page.get_by_role("button", name="Roll 7 verified").click()
    opened = page.get_by_role("dialog", name="Envelope 7")
    opened.get_by_role("button", name="Earlier").click()
    expect(page.get_by_role("dialog", name="Envelope 6")).to_be_visible()


def test_one_changed_face_is_found_even_if_the_hall_lies(people: Visitors) -> None:
    changed = record()
    changed["entries"][6]["roll"] = [4]
    lie = {"check": {"good": True, "rolls": 7, "sentence": "All is well."}}
    page = people.page("/sealed")
    page.route("**/api/verify", lambda route: route.fulfill(json=lie))
    check(page, json.dumps(changed))
    expect(page.get_by_role("heading", name="This does not match")).to_be_visible()
    expect(page.get_by_text("Roll 3: The sealed dice were 3, but 4 was shown.")).to_be_visible()


def test_without_the_seal_it_says_how_little_that_is(people: Visitors) -> None:
    page = people.page("/sealed")
    check(page, json.dumps(record()))
    expect(page.get_by_text("only shows that the record is consistent")).to_be_visible()


def test_what_is_no_record_is_refused_with_a_sentence(people: Visitors) -> None:
    page = people.page("/sealed")
    check(page, "five dice")
    expect(page.get_by_role("alert").get_by_text("This is not JSON")).to_be_visible()


def test_a_record_file_can_be_chosen(people: Visitors, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record()), encoding="utf-8")
    page = people.page("/sealed")
    page.get_by_label("Record file").set_input_files(file)
    expect(page.get_by_label("… or paste the record")).to_have_value(re.compile("oak-7"))
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_role("heading", name="All 7 rolls match the seal")).to_be_visible()


LOOKS = [(DESK, "light"), (PHONE, "light"), (PHONE, "dark"), (DESK, "dark")]


@pytest.mark.proof
@pytest.mark.parametrize(("viewport", "light"), LOOKS)
def test_the_page_is_open_to_everybody(people: Visitors, viewport: dict[str, int], light: str) -> None:
    page = people.page("/sealed", viewport=viewport, color_scheme=light)
    check(page, json.dumps(record()))
    expect(page.get_by_text("The server says:")).to_be_visible()
    axe(page)
    no_sideways(page)
