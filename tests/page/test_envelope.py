"""The envelope at each roll: checked by the page itself, against what it kept from before."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.fights import NONE, armies, board, duel, five_with_words, roll
from tests.page.halls import PageHall


@pytest.mark.proof
def test_a_fair_roll_says_checked_and_shows_what_was(people: Visitors) -> None:
    ann, _ = five_with_words(people)
    roll(ann)
    board(ann).get_by_role("button", name="Envelope 1: verified").click()
    opened = ann.get_by_role("dialog", name="Envelope 1")
    expect(opened.get_by_text("Verified", exact=True)).to_be_visible()
    expect(opened.get_by_text("The only roll was sealed before the game and has not changed.")).to_be_visible()
    expect(opened.get_by_text("the seal you saw before the game")).to_be_hidden()
    opened.get_by_text("How this was checked").click()
    expect(opened.get_by_text("the seal you saw before the game")).to_be_visible()
    expect(opened.get_by_text("2 of 5 seats added words, including you.")).to_be_visible()
    expect(opened.get_by_text("Words of chair 1 (you)")).to_be_visible()
    axe(ann)
    ann.keyboard.press("Escape")
    expect(opened).to_be_hidden()


def test_a_roll_that_is_not_the_sealed_one_is_found(people: Visitors, hall: PageHall) -> None:
    """The server says what it likes; that the dice are others the page finds by itself."""
    for page in duel(people, hall, armies((5, 5, 20, NONE))):  # 66 dice: they never fall like that by themselves
        page.get_by_role("button", name="Roll 1 does not match").click()
        opened = page.get_by_role("dialog", name="Envelope 1")
        expect(opened.get_by_text("This does not match the seal")).to_be_visible()
        expect(opened.get_by_text("The sealed dice were")).to_be_visible()
        opened.get_by_text("How this was checked").click()
        expect(opened.get_by_text("Together they give different dice")).to_be_visible()
        axe(page)
        page.keyboard.press("Escape")


@pytest.mark.proof
@pytest.mark.parametrize("viewport", [PHONE, DESK])
@pytest.mark.parametrize("light", ["light", "dark"])
def test_an_opened_envelope_is_open_to_everybody(people: Visitors, viewport: dict[str, int], light: str) -> None:
    ann, _ = five_with_words(people, {"viewport": viewport, "color_scheme": light})
    roll(ann)
    board(ann).get_by_role("button", name="Envelope 1").click()
    expect(ann.get_by_role("dialog", name="Envelope 1")).to_be_visible()
    axe(ann)
