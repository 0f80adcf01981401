"""The coach: at a table that allows hints, and after a game."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.browsers import Visitors, axe
from tests.page.halls import PageHall
from tests.page.tables import press, told, two


def test_who_asks_the_coach_is_told_what_each_choice_is_worth_and_all_hear_of_it(
    people: Visitors, hall: PageHall
) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 10}, hints=True)
    hall.script((6,))
    press(ann, "Roll")
    ann.get_by_role("button", name="Get a hint").click()
    expect(ann.get_by_text("Chance to win")).to_be_visible()
    expect(ann.get_by_role("row", name="hold")).to_contain_text("%")
    expect(ann.get_by_role("row", name="roll")).to_contain_text("%")
    told(bea, "Ann took a hint.")
    expect(bea.get_by_text("Chance to win")).to_have_count(0)
    press(ann, "Hold")
    expect(ann.get_by_text("Chance to win")).to_be_hidden()


def test_a_table_without_hints_offers_none(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards", rules={"goal": 10})
    expect(ann.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    expect(ann.get_by_role("button", name="Get a hint")).to_have_count(0)


def test_after_a_game_the_coach_tells_what_the_moves_cost(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 10})
    hall.script((6,), (2,), (6,))
    press(ann, "Roll")
    press(ann, "Hold")
    press(bea, "Roll")
    press(bea, "Hold")  # with 2, where it is better to go on
    press(ann, "Roll")
    press(ann, "Hold")
    bea.get_by_role("button", name="Analyse my game").click()
    coach = bea.get_by_role("dialog", name="Game analysis")
    expect(coach.get_by_role("progressbar")).to_have_count(0)
    expect(coach.get_by_role("heading", level=3).first).to_be_visible()
    expect(coach).to_contain_text("%")
    axe(bea)
