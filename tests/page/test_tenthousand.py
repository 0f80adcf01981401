"""Dice 10 000 through the page, by two people."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.browsers import PHONE, Visitors
from tests.page.ears import Ears
from tests.page.halls import PageHall
from tests.page.tables import choose, highlighted, press, told, two


def test_two_people_play_dice_10_000_to_its_end(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "tenthousand", rules={"goal": 2000})
    hall.script((1, 1, 1, 5, 3, 2), (2, 2, 3, 4, 6, 6), (5, 5, 5, 5, 2, 3))
    ears = [Ears.on(page) for page in (ann, bea)]
    press(ann, "Roll")
    choose(ann, 1, 2, 3)
    expect(highlighted(ann)).to_have_text(re.compile("^Roll"))
    press(ann, "Bank +1000")
    told(bea, "Ann banks 1000 and has 1000.")
    press(bea, "Roll")
    expect(bea.get_by_text("You bust.")).to_be_visible()
    expect(bea.get_by_role("table").get_by_role("row", name="1 +1000 1000 bust")).to_be_visible()
    press(ann, "Roll")
    choose(ann, 1, 2, 3, 4)
    expect(ann.get_by_text("Bank now to win with 2000.")).to_be_visible()
    expect(highlighted(ann)).to_have_text(re.compile("^Bank"))
    press(ann, "Bank +1000")
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
    for listener in ears:
        listener.hear_the_story_once()


@pytest.mark.proof
def test_a_first_bank_below_1000_says_what_is_missing(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "tenthousand")
    hall.script((1, 5, 3, 3, 4, 6))
    press(ann, "Roll")
    choose(ann, 1, 2)
    expect(ann.get_by_text("You need 1000 to open; 850 to go.")).to_be_visible()
    expect(ann.get_by_role("button", name="Bank 850 to go")).to_be_disabled()
    expect(ann.get_by_role("button", name="Roll 4 dice")).to_be_enabled()


@pytest.mark.proof
def test_the_same_dice_can_be_grouped_otherwise(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "tenthousand")
    hall.script((1, 1, 1, 3, 4, 6), (2, 3, 5))
    press(ann, "Roll")
    choose(ann, 1, 2, 3)
    expect(ann.get_by_text("= 1000").first).to_be_visible()
    ann.get_by_text("Group differently").click()
    ann.get_by_role("radio").nth(1).check()
    press(ann, "Roll 3 dice")
    told(ann, "Ann keeps 300 points: 300 at stake, 3 dice left.")


@pytest.mark.proof
def test_on_a_phone_all_dice_that_were_kept_in_a_turn_are_seen(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "tenthousand", {"viewport": PHONE})
    hall.script((1, 1, 5, 3, 4, 6), (5, 3, 4), (1, 3), (5,))
    press(ann, "Roll")
    for dice in ((1, 2, 3), (1,), (1,)):
        choose(ann, *dice)
        press(ann, "Roll")
    kept = ann.get_by_role("group", name="Kept this turn").get_by_role("img")
    expect(kept).to_have_count(3)
    for group in kept.all():
        expect(group).to_be_in_viewport(ratio=0.9)


def test_a_turn_of_dice_10_000_with_the_keyboard_alone(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "tenthousand")
    hall.script((1, 1, 1, 1, 5, 5))
    ann.keyboard.press("r")
    expect(ann.get_by_role("button", name="Die 1: 1")).to_be_visible()
    ann.keyboard.press("a")
    expect(ann.get_by_text("All six dice score: roll all six again, or bank.")).to_be_visible()
    ann.keyboard.press("5")
    ann.keyboard.press("b")
    told(bea, "Ann banks 2050 and has 2050.")
