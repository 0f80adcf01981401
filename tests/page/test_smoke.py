"""The page comes up, and a whole turn can be played on it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.browsers import Visitors, axe, guest
from tests.page.halls import PageHall


def test_the_lobby_shows_the_five_games(people: Visitors) -> None:
    page = people.page()
    for name in ("Dice Wards", "Aetharn", "DO or DICE", "Dice 10 000", "Mana"):
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    axe(page)


def test_a_guest_keeps_their_name_over_a_reload(people: Visitors) -> None:
    page = people.page()
    guest(page, "Ann")
    page.reload()
    expect(page.get_by_role("link", name="Ann")).to_be_visible()


def test_a_roll_is_told_as_a_sentence(people: Visitors, hall: PageHall) -> None:
    hall.script((5,))
    page = people.page("/play/wards")
    guest(page, "Ann")
    page.get_by_role("button", name="Play now against bots").click()
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.get_by_text("Ann rolls a 5.").first).to_be_visible()
