"""The page of a player: statistics, games, and how we did against each other."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.played import me, win_rated
from tests.page.tables import go, person


@pytest.mark.proof
def test_a_player_shows_statistics_and_games_and_how_we_did_against_each_other(
    people: Visitors, hall: PageHall
) -> None:
    ann, bea = person(people, "Ann"), person(people, "Bea")
    win_rated(hall, ann, bea)  # what was played by link is shown to nobody else
    go(people, bea, f"/players/{me(ann)}")
    versus = bea.get_by_role("region", name="You against Ann")
    expect(versus).to_contain_text("Dice Wards: 0 to 1 in 1 game")
    expect(bea.get_by_role("row", name="Dice Wards 1 1 100 %")).to_be_visible()
    bea.get_by_role("link", name="won against Bea").click()
    expect(bea.get_by_role("slider", name="Position in the game")).to_be_visible()
    bea.get_by_role("link", name="Result and record").click()
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
    stranger = people.page(f"/players/{me(bea)}")
    expect(stranger.get_by_text("lost to Ann")).to_be_visible()
    expect(stranger.get_by_role("heading", name="You against")).to_have_count(0)


def test_a_player_nobody_knows_is_said_in_a_sentence(people: Visitors) -> None:
    page = people.page("/players/nobody")
    expect(page.get_by_role("alert")).to_have_text("There is no such account.")
