"""Dice Wards through the page, by two people."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.page.browsers import Visitors
from tests.page.ears import Ears
from tests.page.halls import PageHall
from tests.page.tables import highlighted, press, told, two


def test_two_people_play_dice_wards_to_its_end_and_again(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 12})
    hall.script((6,), (5,), (1,), (4,), (6,))
    ears = [Ears.on(page) for page in (ann, bea)]
    press(ann, "Roll")
    expect(bea.get_by_role("img", name="The die: 6")).to_be_visible()
    expect(bea.get_by_role("button", name="Roll", exact=True)).to_be_disabled()
    expect(highlighted(ann)).to_have_text(re.compile("^Roll"))
    press(ann, "Hold")
    expect(ann.get_by_role("meter", name="Ann: points")).to_have_attribute("aria-valuetext", "6 of 12")
    press(bea, "Roll")
    press(bea, "Roll")
    told(ann, "Bea loses 5 points.")
    press(ann, "Roll")
    press(ann, "Roll")
    expect(ann.get_by_text("Hold now to win with 16.")).to_be_visible()
    expect(highlighted(ann)).to_have_text(re.compile("^Hold"))
    press(ann, "Hold")
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
    told(bea, "Ann wins 16-0.")
    for listener in ears:
        listener.hear_the_story_once()
    ann.get_by_role("button", name="Rematch").click()
    bea.get_by_role("button", name="Accept").click()
    for page in (ann, bea):
        expect(page.get_by_role("meter", name="Ann: points")).to_have_attribute("aria-valuetext", "0 of 12")
    assert ann.url == bea.url


@pytest.mark.proof
def test_a_clock_ring_runs_for_who_is_on_turn(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards")
    ring = ann.get_by_role("timer")
    expect(ring).to_have_accessible_name(re.compile(r"^\d+ seconds left$"))
    seen = seconds(ring)
    assert seen <= 30
    expect(ring).to_have_accessible_name(re.compile(rf"^({'|'.join(map(str, range(seen)))}) seconds left$"))


@pytest.mark.proof
def test_a_listener_is_told_when_time_runs_short_and_nothing_false_before(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards", rules={"turn_seconds": 8})
    assert ann.get_by_text("10 seconds left for").count() == 0
    expect(ann.get_by_text("5 seconds left for you.")).to_be_attached()


def seconds(ring: Locator) -> int:
    return int((ring.get_attribute("aria-label") or "").split()[0])


def test_dice_wards_is_played_with_the_keyboard_alone(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 5})
    hall.script((6,))
    bea.keyboard.press("r")  # not her turn: nothing happens
    ann.keyboard.press("?")
    rules = ann.get_by_role("dialog", name="How to play Dice Wards")
    expect(rules).to_contain_text("Points to win")
    ann.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    ann.keyboard.press("r")
    expect(ann.get_by_role("img", name="The die: 6")).to_be_visible()
    ann.keyboard.press("h")
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
