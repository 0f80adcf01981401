"""The page in its reader's language: chosen by the browser or by its person, at once and from the first sentence on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.tables import no_sideways

GERMAN = "Setz dich dazu."
ENGLISH = "Pull up a chair."
# Every heading that was ever shown.
NOTE_HEADINGS = """addEventListener('DOMContentLoaded', () => {
    window.headings = [];
    new MutationObserver(() => document.querySelectorAll('h1').forEach(one => window.headings.push(one.textContent)))
        .observe(document, {subtree: true, childList: true, characterData: true});
})"""
ADDRESSES = (
    "/",
    "/play/mana",
    "/me",
    "/leaders/all",
    "/challenge",
    "/mana",
    "/replay",
    "/offline",
    "/sealed",
    "/sign-in",
    "/settings",
    "/t/none",
)
GAMES = ("wards", "aetharn", "doordice", "tenthousand", "mana")
SIZES = (PHONE, DESK)


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()


def test_a_german_browser_gets_german_at_the_first_visit_and_never_english_before_it(people: Visitors) -> None:
    page = people.page("/", locale="de-AT")
    page.add_init_script(NOTE_HEADINGS)
    page.reload()
    heading(page, GERMAN)
    assert set(page.evaluate("window.headings")) == {GERMAN}
    assert page.locator("html").get_attribute("lang") == "de"


def test_a_browser_in_a_language_that_there_is_not_gets_english(people: Visitors) -> None:
    heading(people.page("/", locale="tlh"), ENGLISH)


def test_another_language_is_there_at_once_and_after_a_reload(people: Visitors) -> None:
    page = people.page("/settings")
    page.get_by_role("radio", name="Deutsch").check()
    heading(page, "Einstellungen")
    expect(page.get_by_role("link", name="Anmelden")).to_be_visible()
    page.goto(people.url)
    heading(page, GERMAN)
    people.tab(page.context, "/settings").get_by_role("radio", name="English").check()
    page.reload()
    heading(page, ENGLISH)


def test_a_game_is_played_in_german(people: Visitors) -> None:
    page = people.page("/play/wards", "Ann", locale="de", viewport=PHONE)
    page.get_by_role("button", name="Gegen Bots spielen").click()
    page.get_by_role("button", name="Würfeln").click()
    expect(page.get_by_role("heading", level=2, name="Spielverlauf")).to_be_visible()
    expect(page.get_by_text("Ann würfelt eine").last).to_be_visible()
    expect(page.get_by_role("heading", level=1, name="Tisch „Ann“")).to_be_visible()
    expect(page.get_by_text("Lockerer Bot").first).to_be_attached()


def check(page: Page) -> None:
    heading(page, "")
    axe(page)
    no_sideways(page)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES, ids=("phone", "desk"))
@pytest.mark.parametrize("address", ADDRESSES)
def test_german_fits_every_page(people: Visitors, address: str, size: dict[str, int]) -> None:
    check(people.page(address, "Ann", locale="de", viewport=size))


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES, ids=("phone", "desk"))
@pytest.mark.parametrize("game", GAMES)
def test_german_fits_every_table(people: Visitors, game: str, size: dict[str, int]) -> None:
    page = people.page(f"/play/{game}", "Ann", locale="de", viewport=size)
    page.get_by_role("button", name="Gegen Bots spielen").click()
    expect(page.get_by_role("region", name="Das Spielfeld")).to_be_visible()
    check(page)
