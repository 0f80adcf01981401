"""Reactions at the table: a small button with six, seen beside the seat for a moment, and easy to mute."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.halls import PageHall
from tests.page.tables import no_sideways, seat_of, two

SIZES = [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk", marks=pytest.mark.proof)]
# Whether nothing of the line of reactions is cut off.
WHOLE = """line => [...line.querySelectorAll('.reaction')].every(
    one => one.getBoundingClientRect().right <= line.getBoundingClientRect().right)"""
NAMES = ["Hello", "Good luck", "Well played", "Wow", "Ouch", "Thanks"]


def panel(page: Page) -> Locator:
    return page.get_by_role("group", name="Reactions")


def react(page: Page, name: str) -> None:
    page.get_by_role("button", name="React").click()
    panel(page).get_by_role("button", name=name).click()


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_a_player_and_a_spectator_react_and_everybody_sees_it(
    people: Visitors, hall: PageHall, size: dict[str, int]
) -> None:
    ann, bea = two(people, hall, "wards", {"viewport": size})
    eve = people.page(ann.url.removeprefix(hall.url), viewport=size)  # who has no name yet
    expect(eve.get_by_text("You’re watching")).to_be_visible()
    ann.get_by_role("button", name="React").click()
    expect(panel(ann).get_by_role("button")).to_have_text(NAMES)
    axe(ann)
    no_sideways(ann)
    panel(ann).get_by_role("button", name="Good luck").click()
    for page in (ann, bea, eve):
        expect(seat_of(page, "Ann").get_by_text("Good luck")).to_be_visible()
    expect(panel(ann)).to_have_count(0)
    expect(ann.get_by_role("button", name="React")).to_be_focused()
    expect(bea.locator("[aria-live]", has_text="Ann reacts: Good luck.")).to_have_count(1)
    react(eve, "Well played")  # the longest one
    expect(bea.locator("header").get_by_text("Well played")).to_be_visible()
    assert bea.locator("header .line").evaluate(WHOLE)
    no_sideways(bea)
    axe(bea)
    expect(seat_of(bea, "Ann").get_by_text("Good luck")).to_be_hidden()  # after a moment


def test_six_reactions_are_in_reach_of_the_keyboard_and_escape_closes_them(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards")
    button = ann.get_by_role("button", name="React")
    button.focus()
    ann.keyboard.press("Enter")
    expect(panel(ann).get_by_role("button", name="Hello")).to_be_focused()
    ann.keyboard.press("Escape")
    expect(panel(ann)).to_have_count(0)
    expect(button).to_be_focused()
    ann.keyboard.press("Enter")
    for key in ("Tab", "Tab", "Enter"):
        ann.keyboard.press(key)
    expect(seat_of(bea, "Ann").get_by_text("Well played")).to_be_visible()


@pytest.mark.proof
def test_whoever_mutes_reactions_sees_and_hears_none_also_after_a_reload(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards")
    bea.get_by_role("button", name="React").click()
    bea.get_by_label("Mute other people’s reactions").check()
    bea.reload()
    bea.get_by_role("button", name="React").click()
    expect(bea.get_by_label("Mute other people’s reactions")).to_be_checked()
    settings = people.tab(bea.context, "/settings")  # the same switch, where people look for it
    expect(settings.get_by_label("Mute other people’s reactions")).to_be_checked()
    settings.get_by_label("Mute other people’s reactions").uncheck()
    settings.reload()
    expect(settings.get_by_label("Mute other people’s reactions")).not_to_be_checked()
    react(ann, "Ouch")
    expect(seat_of(ann, "Ann").get_by_text("Ouch")).to_be_visible()
    panel(bea).get_by_role("button", name="Thanks").click()  # what comes later was told after it
    expect(seat_of(ann, "Bea").get_by_text("Thanks")).to_be_visible()
    assert seat_of(bea, "Ann").get_by_text("Ouch").count() == 0
    assert bea.locator("[aria-live]", has_text="reacts").count() == 0


@pytest.mark.proof
def test_a_tap_on_the_words_mutes_like_one_on_the_box(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards", {"viewport": PHONE, "has_touch": True, "is_mobile": True})
    ann.get_by_role("button", name="React").tap()
    panel(ann).get_by_text("Mute other people’s reactions").tap()
    expect(ann.get_by_label("Mute other people’s reactions")).to_be_checked()


@pytest.mark.proof
def test_in_mana_on_a_phone_where_no_seats_are_shown_reactions_are_told_at_the_top(
    people: Visitors, hall: PageHall
) -> None:
    ann, bea = two(people, hall, "mana", {"viewport": PHONE})
    react(ann, "Good luck")
    for page in (ann, bea):
        expect(page.locator("header .line")).to_contain_text("Good luck")
    bea.set_viewport_size({"width": DESK["width"], "height": DESK["height"]})
    react(ann, "Wow")
    expect(seat_of(bea, "Ann").get_by_text("Wow")).to_be_visible()
    expect(bea.locator("header .line").filter(has_text="Wow")).to_have_count(0)


@pytest.mark.proof
def test_how_many_watch_is_known_after_a_reload(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards")
    watching = people.page(ann.url.removeprefix(people.url))
    expect(watching.get_by_text("You’re watching")).to_be_visible()
    expect(ann.get_by_text("1 watching")).to_be_visible()
    ann.reload()
    expect(ann.get_by_text("1 watching")).to_be_visible()


@pytest.mark.proof
def test_a_table_without_reactions_has_no_button_for_them(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards", reactions=False)
    expect(ann.get_by_role("button", name="Rules")).to_be_visible()
    expect(ann.get_by_role("button", name="React")).to_have_count(0)
