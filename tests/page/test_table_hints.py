"""The coach at a table that allows hints."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import press, told, two


def test_who_asks_the_coach_is_told_what_each_choice_is_worth_and_all_hear_of_it(
    people: Visitors, hall: PageHall
) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 10}, hints=True)
    hall.script((6,))
    press(ann, "Roll")
    ann.get_by_role("button", name="What would the coach do?").click()
    expect(ann.get_by_text("The coach would")).to_be_visible()
    expect(ann.get_by_role("row", name="hold")).to_contain_text("%")
    expect(ann.get_by_role("row", name="roll")).to_contain_text("%")
    told(bea, "Ann took a hint.")
    expect(bea.get_by_text("The coach would")).to_have_count(0)
    press(ann, "Hold")
    expect(ann.get_by_text("The coach would")).to_be_hidden()


def test_a_table_without_hints_offers_none(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards", rules={"goal": 10})
    expect(ann.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    expect(ann.get_by_role("button", name="What would the coach do?")).to_have_count(0)
