"""Aetharn through the page, by two people."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.browsers import Visitors
from tests.page.ears import Ears
from tests.page.halls import PageHall
from tests.page.tables import choose, highlighted, press, told, two


def test_two_people_play_aetharn_to_its_end(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "aetharn", rules={"goal": 1500})
    hall.script((4, 4, 4, 1, 3, 1), (5, 2, 6), (2, 2, 3, 3, 4, 6), (1, 5, 1, 5, 1, 5), (2, 3, 4, 6, 2, 3))
    hall.script((1, 2, 3, 4, 5, 6))
    ears = [Ears.on(page) for page in (ann, bea)]
    press(ann, "Roll")
    expect(ann.get_by_role("button", name="Die 5: 3")).to_be_disabled()  # a lone 3 is in no hold
    choose(ann, 1, 2)
    expect(ann.locator(".actions").get_by_text("Keep all three 4s to score.")).to_be_visible()
    expect(ann.get_by_role("button", name="Bank")).to_be_disabled()
    choose(ann, 3)
    expect(ann.get_by_text("Picked: 400 points")).to_be_visible()
    expect(highlighted(ann)).to_have_text(re.compile("^Roll"))
    press(ann, "Roll 3 dice")
    expect(ann.get_by_role("button", name="Die 1: 5")).to_be_enabled()  # the new roll is there
    choose(ann, 1)
    press(ann, "Bank +450")
    told(bea, "Ann banks 450 and has 450.")
    press(bea, "Roll")
    told(ann, "Bea busts.")
    expect(ann.get_by_text("Bea rolls 2 2 3 3 4 6: bust.")).to_be_visible()
    press(ann, "Roll")
    ann.get_by_role("button", name="Pick best (1500)").click()
    expect(ann.get_by_text("Bank now to win with 1950.")).to_be_visible()  # hot dice, but nobody needs them to win
    expect(highlighted(ann)).to_have_text(re.compile("^Bank"))
    press(ann, "Roll 6 dice")
    told(bea, "Ann busts and loses 1500 points.")
    press(bea, "Roll")
    bea.get_by_role("button", name="Pick best (1500)").click()
    press(bea, "Bank +1500")
    expect(bea.get_by_role("heading", name="You win!")).to_be_visible()
    expect(ann.get_by_role("heading", name="Bea wins")).to_be_visible()
    for listener in ears:
        listener.hear_the_story_once()


def test_a_turn_of_aetharn_with_the_keyboard_alone(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "aetharn")
    hall.script((1, 2, 5, 3, 4, 4), (5, 2, 3, 4))
    ann.keyboard.press("r")
    expect(ann.get_by_role("button", name="Die 1: 1")).to_be_visible()
    ann.keyboard.press("1")
    ann.keyboard.press("3")
    expect(ann.get_by_role("button", name="Die 3: 5, picked")).to_have_attribute("aria-pressed", "true")
    ann.keyboard.press("r")
    expect(ann.get_by_role("button", name="Die 1: 5")).to_be_visible()
    expect(ann.get_by_label("Kept this turn")).to_contain_text("150")
    ann.keyboard.press("a")
    ann.keyboard.press("b")
    told(bea, "Ann banks 200 and has 200.")


def test_who_folds_is_asked_first_and_is_out_then(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "aetharn")
    ann.keyboard.press("f")
    dialog = ann.get_by_role("dialog", name="Fold?")
    dialog.get_by_role("button", name="Keep playing").click()
    expect(dialog).to_be_hidden()
    ann.keyboard.press("f")
    dialog.get_by_role("button", name="Fold").click()
    expect(bea.get_by_role("heading", name="You win!")).to_be_visible()
    expect(ann.get_by_role("listitem").filter(has_text="folded")).to_be_visible()


REOPEN = """async () => {
    const buttons = [...document.querySelectorAll('dialog[open] button')];
    buttons.find((button) => button.textContent.trim() === 'Keep playing').click();
    for (let turn = 0; turn < 20; turn++) await null;  // the dialog is closed, and its event of that still to come
    if (document.querySelector('dialog[open]')) throw new Error('not closed yet');
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true }));
    await new Promise((done) => setTimeout(done, 50));
}"""


@pytest.mark.proof
def test_a_question_that_is_asked_again_at_once_stays_open(people: Visitors, hall: PageHall) -> None:
    """A dialog hears of its closing a little later, which must not close it anew."""
    ann, _ = two(people, hall, "aetharn")
    ann.keyboard.press("f")
    dialog = ann.get_by_role("dialog", name="Fold?")
    expect(dialog).to_be_visible()
    ann.evaluate(REOPEN)
    expect(dialog).to_be_visible()


@pytest.mark.proof
def test_an_absence_and_its_grace_are_there_for_all_to_see(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "aetharn")
    watching = people.page(ann.url.removeprefix(people.url))
    bea.get_by_role("button", name="Leave").click()
    bea.get_by_role("button", name="Take a break").click()
    for page in (ann, watching):
        expect(page.get_by_role("timer", name="seconds to return")).to_be_visible()
    bea.get_by_role("button", name="I’m back").click()
    for page in (ann, watching):
        expect(page.get_by_role("timer", name="seconds to return")).to_be_hidden()


@pytest.mark.proof
def test_a_spectator_sees_everything_and_can_do_nothing(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "aetharn")
    watching = people.page(ann.url.removeprefix(people.url))
    expect(watching.get_by_role("heading", name="Ann’s turn")).to_be_visible()
    expect(ann.get_by_text("1 watching")).to_be_visible()
    hall.script((1, 2, 5, 3, 4, 4))
    press(ann, "Roll")
    expect(watching.get_by_role("img", name="Die 1: 1")).to_be_visible()
    expect(watching.get_by_role("region", name="The board").get_by_role("button")).to_have_count(0)
