"""Leaderboards: who won most, per game and in all, people, guests or bots."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.played import enter, win_rated
from tests.page.tables import go, person


@pytest.mark.proof
def test_a_leaderboard_ranks_by_wins_per_game_and_by_kind(people: Visitors, hall: PageHall) -> None:
    ann = people.page("/me")
    enter(ann, "Ann", "/api/accounts")
    bea = person(people, "Bea")
    win_rated(hall, ann, bea)
    win_rated(hall, ann)
    go(people, ann, "/leaders/all")
    expect(ann.get_by_role("row", name="1 Ann 2 2 100 %")).to_be_visible()
    expect(ann.get_by_role("row", name="Bea")).to_have_count(0)
    ann.get_by_role("combobox", name="Show").select_option("guests")
    expect(ann.get_by_role("row", name="1 Bea 0 1 0 %")).to_be_visible()
    ann.get_by_role("combobox", name="Show").select_option("bots")
    expect(ann.get_by_role("row", name="0 1 0 %")).to_be_visible()
    ann.get_by_role("link", name="Mana", exact=True).click()
    expect(ann.get_by_text("Nobody yet")).to_be_visible()
    expect(ann.get_by_role("combobox", name="Show")).to_have_value("bots")
    ann.get_by_role("combobox", name="Show").select_option("accounts")
    ann.get_by_role("link", name="Dice Wards").click()
    expect(ann.get_by_role("row", name="1 Ann 2 2 100 %")).to_be_visible()
    ann.get_by_role("combobox", name="Sort by").select_option("rate")
    expect(ann.get_by_text("Nobody yet")).to_be_visible()  # it takes five games
    ann.get_by_role("combobox", name="Sort by").select_option("won")
    ann.get_by_role("row", name="Ann").get_by_role("link").click()
    expect(ann.get_by_role("heading", name="Ann", level=1)).to_be_visible()


@pytest.mark.proof
def test_a_guest_sees_the_guests_first_and_accounts_on_demand(people: Visitors, hall: PageHall) -> None:
    ann, bea = person(people, "Ann"), person(people, "Bea")
    win_rated(hall, ann, bea)
    go(people, ann, "/leaders/wards")
    expect(ann.get_by_role("row", name="1 Ann 1 1 100 %")).to_be_visible()
    ann.get_by_role("combobox", name="Show").select_option("accounts")
    expect(ann.get_by_text("You’re a guest: look under “Guests”")).to_be_visible()


def test_an_answer_that_comes_late_does_not_replace_what_was_chosen_since(people: Visitors, hall: PageHall) -> None:
    ann = people.page("/me")
    enter(ann, "Ann", "/api/accounts")
    win_rated(hall, ann, person(people, "Bea"))
    late: list[Route] = []
    ann.route("**/api/leaderboards/**who=guests**", lambda route: late.append(route))
    go(people, ann, "/leaders/all")
    expect(ann.get_by_role("row", name="1 Ann 1 1 100 %")).to_be_visible()
    ann.get_by_role("combobox", name="Show").select_option("guests")
    ann.get_by_role("combobox", name="Show").select_option("bots")
    expect(ann.get_by_text("Nobody yet")).to_be_visible()
    with ann.expect_response("**who=guests**"):
        late[0].continue_()
    expect(ann.get_by_text("Nobody yet")).to_be_visible()
    expect(ann.get_by_role("row", name="Bea")).to_have_count(0)
