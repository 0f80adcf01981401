"""The coach: at a table that allows hints, and after a game."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import PHONE, Visitors, axe, entered
from tests.page.fights import send
from tests.page.halls import PageHall
from tests.page.tables import post, press, told, two
from tests.page.test_mana import SAME


@pytest.mark.proof
def test_who_asks_the_coach_is_told_what_each_choice_is_worth_and_all_hear_of_it(
    people: Visitors, hall: PageHall
) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 10}, hints=True)
    hall.script((6,))
    press(ann, "Roll")
    ann.get_by_role("button", name="Get a hint").click()
    odds = ann.get_by_role("table", name="your chance to win")
    expect(odds.get_by_role("row", name="Roll again (best)")).to_contain_text("%")
    expect(odds.get_by_role("row", name="Hold")).to_contain_text("%")
    told(bea, "Ann looked at the odds.")
    expect(bea.get_by_role("table", name="your chance to win")).to_have_count(0)
    press(ann, "Hold")
    expect(odds).to_have_count(0)


def test_the_odds_stay_while_somebody_else_picks_and_go_with_my_own_move(people: Visitors, hall: PageHall) -> None:
    hall.script(SAME)
    ann, bea = two(people, hall, "mana", hints=True)
    ann.get_by_role("button", name="Get a hint").click()
    odds = ann.get_by_role("table", name="your chance to win")
    expect(odds).to_be_visible()
    send(bea, 2)
    told(ann, "Bea has picked a unit for round 1.")
    expect(odds).to_be_visible()
    send(ann, 1)
    expect(odds).to_have_count(0)


@pytest.mark.proof
def test_a_table_without_hints_offers_none(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards", rules={"goal": 10})
    expect(ann.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    expect(ann.get_by_role("button", name="Get a hint")).to_have_count(0)


def blunder(people: Visitors, hall: PageHall, more: dict[str, Any] | None = None) -> Page:
    """Bea has lost a game in which she held with 2 on the pile, where it was better to go on."""
    ann, bea = two(people, hall, "wards", more, rules={"goal": 10})
    hall.script((6,), (2,), (6,))
    for page in (ann, bea, ann):
        press(page, "Roll")
        press(page, "Hold")
    return bea


@pytest.mark.parametrize("size", [pytest.param(None, marks=pytest.mark.proof), {"viewport": PHONE}])
def test_after_a_game_the_coach_tells_its_story(people: Visitors, hall: PageHall, size: dict[str, Any] | None) -> None:
    bea = blunder(people, hall, size)
    bea.get_by_role("button", name="Analyse my game").click()
    coach = bea.get_by_role("dialog", name="Game analysis")
    expect(coach.get_by_role("heading", name="You lost")).to_be_visible()
    mine = coach.get_by_role("region", name="You")
    choice = mine.get_by_role("listitem").first
    expect(choice).to_contain_text("Behind 0 to 6 with 2 on the pile, you held:")
    expect(choice).to_contain_text("Rolling again wins")
    expect(choice.get_by_role("img", name="Dice: 2")).to_be_visible()
    axe(bea)


@pytest.mark.proof
def test_every_number_of_the_coach_is_explained_on_a_tap(people: Visitors, hall: PageHall) -> None:
    bea = blunder(people, hall)
    bea.get_by_role("button", name="Analyse my game").click()
    coach = bea.get_by_role("dialog", name="Game analysis")
    expect(coach.get_by_role("button", name="What does this mean?").first).to_be_visible()
    for button in coach.get_by_role("button", name="What does this mean?").all():
        if button.is_visible():
            button.click()
            expect(button).to_have_attribute("aria-expanded", "true")
    expect(coach.get_by_text("Luck evens out in the long run").first).to_be_visible()
    axe(bea)


@pytest.mark.proof
def test_the_course_of_the_chances_is_a_graph_and_a_table(people: Visitors, hall: PageHall) -> None:
    bea = blunder(people, hall)
    bea.get_by_role("button", name="Analyse my game").click()
    coach = bea.get_by_role("dialog", name="Game analysis")
    expect(coach.get_by_role("img", name="The chance to win starts at")).to_be_visible()
    drawing = coach.locator(".graph canvas")
    expect(drawing).to_be_visible()
    by_day = drawing.evaluate("canvas => canvas.toDataURL()")
    bea.emulate_media(color_scheme="dark")
    bea.wait_for_function("day => document.querySelector('.graph canvas')?.toDataURL() !== day", arg=by_day)
    expect(drawing).to_have_count(1)
    coach.get_by_text("The graph as a table").click()
    expect(coach.get_by_role("row", name="Ann wins").first).to_contain_text("0 %")


def test_a_tap_on_the_graph_tells_what_happened_there_and_it_stays_told(people: Visitors, hall: PageHall) -> None:
    bea = blunder(people, hall, {"viewport": PHONE, "has_touch": True, "is_mobile": True})
    bea.get_by_role("button", name="Analyse my game").tap()
    coach = bea.get_by_role("dialog", name="Game analysis")
    over = coach.locator(".graph .u-over")
    box = over.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    moments = 6  # three turns, in each of which somebody rolled and held
    bea.touchscreen.tap(box["x"] + box["width"] * 3 / moments, middle)
    expect(coach.get_by_text("Bea rolls a 2.", exact=False).first).to_be_visible()
    bea.wait_for_timeout(500)  # what a browser says of a mouse after a tap
    expect(coach.get_by_text("Bea rolls a 2.", exact=False).first).to_be_visible()
    bea.touchscreen.tap(box["x"] + box["width"] * 4 / moments - 9, middle)  # a finger beside the red dot
    expect(coach.get_by_text("Bea holds 2", exact=False).first).to_be_visible()
    slide(bea, (box["x"] + box["width"] * 4 / moments, middle), (box["x"] + 2, middle))
    expect(coach.get_by_text("The start: ")).to_be_visible()


def slide(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger that stays on the screen while it goes from one place to another."""
    touch = page.context.new_cdp_session(page)
    for kind, (x, y) in (("touchStart", start), ("touchMove", end)):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def alone(people: Visitors, hall: PageHall, **options: Any) -> Page:
    """Ann at a table of Dice Wards against a bot, in her turn."""
    kept = entered(hall.url, "Ann")
    path = f"/t/{post(hall, '/api/tables', {'game': 'wards', 'bots': [{'seat': 1, 'level': 'greedy'}]}, kept)['id']}"
    post(hall, f"/api/tables/{path.removeprefix('/t/')}/sit", {}, kept)
    page = people.page(path, storage_state=kept, **options)
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    return page


def test_in_practice_the_odds_are_shown_before_a_move_and_a_mistake_is_explained_after_the_turn(
    people: Visitors, hall: PageHall
) -> None:
    ann = alone(people, hall)
    hall.script((6,))
    press(ann, "Roll")
    ann.get_by_role("button", name="Show odds").click()
    expect(ann.get_by_role("row", name="Roll again (best)")).to_contain_text("%")
    expect(ann.get_by_role("row", name="Hold")).to_contain_text("%")
    press(ann, "Hold")
    expect(ann.get_by_text("Level at 0 with 6 on the pile, you held:")).to_be_visible()
    axe(ann)
    ann.get_by_role("button", name="Dismiss").click()
    expect(ann.get_by_text("you held:")).to_have_count(0)


@pytest.mark.proof
def test_on_a_phone_a_tap_beside_whose_turn_it_is_brings_the_explanation_of_a_mistake_into_sight(
    people: Visitors, hall: PageHall
) -> None:
    ann = alone(people, hall, viewport=PHONE)
    hall.script((6,))
    press(ann, "Roll")
    press(ann, "Hold")
    see = ann.get_by_role("button", name="See your mistake")
    expect(see).to_be_in_viewport(ratio=1)
    see.click()
    told = ann.get_by_text("Level at 0 with 6 on the pile, you held:")
    expect(told).to_be_in_viewport(ratio=1)
    for in_sight in (
        ann.get_by_role("img", name="The die"),
        ann.get_by_role("button", name="Roll", exact=True),
    ):
        expect(in_sight).to_be_in_viewport(ratio=1)
    speed, box = ann.get_by_label("Bot speed").bounding_box(), ann.locator("#mistake").bounding_box()
    assert speed is not None
    assert box is not None
    assert box["y"] - speed["y"] - speed["height"] >= 6
    ann.get_by_role("button", name="Dismiss").click()
    expect(see).to_have_count(0)


def test_what_practice_and_unrated_mean_is_one_tap_away(people: Visitors, hall: PageHall) -> None:
    ann = alone(people, hall)
    ann.get_by_role("button", name="What is this? Practice mode").click()
    explained = ann.get_by_role("dialog", name="Practice mode")
    expect(explained).to_contain_text("the coach tells you if you made a costly mistake")
    expect(explained).to_contain_text("the game is unrated: it no longer changes your rating")


@pytest.mark.proof
def test_practice_can_be_switched_off_and_stays_off(people: Visitors, hall: PageHall) -> None:
    ann = alone(people, hall)
    expect(ann.get_by_role("button", name="Show odds (unrated)")).to_be_visible()
    ann.get_by_role("switch", name="Practice mode").click()
    expect(ann.get_by_role("button", name="Show odds")).to_have_count(0)
    ann.reload()
    expect(ann.get_by_role("switch", name="Practice mode")).not_to_be_checked()


@pytest.mark.proof
def test_a_german_reader_has_the_story_in_german(people: Visitors, hall: PageHall) -> None:
    bea = blunder(people, hall)
    bea.evaluate("localStorage.setItem('dicehall:language', JSON.stringify('de'))")
    bea.reload()
    bea.get_by_role("button", name="Mein Spiel analysieren").click()
    coach = bea.get_by_role("dialog", name="Spielanalyse")
    expect(coach.get_by_role("heading", name="Du hast")).to_contain_text("verloren")
    choice = coach.get_by_role("region", name="Du").get_by_role("listitem").first
    expect(choice).to_contain_text("Im Rückstand (0:6) mit 2 im Topf hast du gesichert:")
    expect(choice).to_contain_text("Noch einmal zu würfeln hätte")
