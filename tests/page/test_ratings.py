"""Ratings in the browser: at the end of a game, on a leaderboard and on players' pages, always with their error."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.halls import PageHall
from tests.page.played import me, win_rated
from tests.page.tables import go, no_sideways, person
from tests.page.test_challenge import picture

RATED = re.compile(r"\d{4} ± \d+")


@pytest.mark.proof
def test_ratings_are_shown_with_their_error_wherever_people_look(people: Visitors, hall: PageHall) -> None:
    ann, bea = person(people, "Ann", viewport=PHONE), person(people, "Bea", viewport=DESK)
    for _ in range(2):
        win_rated(hall, ann, bea)
    go(people, bea, f"/players/{me(ann)}")
    ratings = bea.get_by_role("region", name="Ratings")
    expect(ratings.get_by_role("row", name="Dice Wards")).to_contain_text(RATED)
    expect(ratings).to_contain_text(re.compile(r"After about \d+ games, the stronger player is ahead"))
    picture(bea, "player-desk")
    axe(bea)
    replay = bea.get_by_role("link", name="won against Bea").first.get_attribute("href") or ""
    go(people, bea, f"/t/{replay.rpartition('/')[2]}")
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(bea.get_by_text(re.compile(r"Ann \d{4} ± \d+ \(\+\d+\)"))).to_be_visible()
    expect(bea.get_by_text(re.compile(r"you \d{4} ± \d+ \(−\d+\)"))).to_be_visible()
    picture(bea, "rated-over-desk")
    bea.get_by_role("button", name="What is this? Rating").click()
    expect(bea.get_by_role("dialog", name="Rating")).to_contain_text("in brackets is what this game changed")
    bea.keyboard.press("Escape")
    go(people, ann, "/leaders/wards")
    ann.get_by_role("combobox", name="Show").select_option("guests")
    ann.get_by_role("combobox", name="Sort by").select_option("rating")
    expect(ann.get_by_role("row", name="1 Ann 2 2")).to_contain_text(RATED)
    picture(ann, "leaders-phone")
    axe(ann)
    no_sideways(ann)
    ann.get_by_role("link", name="All games").click()
    expect(ann.get_by_role("combobox", name="Sort by").get_by_role("option")).to_have_count(2)
