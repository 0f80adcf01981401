"""The lobby: the games, a game at once, the tables that are open, and those that wait for me."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.browsers import Visitors, entered
from tests.page.halls import PageHall
from tests.page.played import shown, wait_for
from tests.page.tables import go, open_table, person, post, sit

GAMES = ("Dice Wards", "Aetharn", "Dice 10 000", "DO or DICE", "Mana")


def test_every_game_has_a_picture_a_sentence_and_a_way_to_begin(people: Visitors) -> None:
    page = people.page()
    for game in GAMES:
        card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=game))
        expect(card.locator("svg").first).to_be_visible()
        expect(card).to_contain_text("players")
        expect(card.get_by_role("button", name=f"Play now: {game}")).to_be_visible()
        expect(card.get_by_role("combobox", name=f"Bots in {game}")).to_have_value("greedy")
    expect(page.get_by_text("Roll one die for as long as you dare")).to_be_visible()
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_role("button", name="Play now: Dice Wards")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("game", "bots"), [("Dice Wards", 1), ("DO or DICE", 4)])
def test_play_now_seats_a_newcomer_among_bots_of_the_chosen_level(people: Visitors, game: str, bots: int) -> None:
    page = people.page()
    page.get_by_role("combobox", name=f"Bots in {game}").select_option("random")
    page.get_by_role("button", name=f"Play now: {game}").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("heading", name="turn")).to_be_visible()
    seats = [seat["bot"] for seat in shown(page)["seats"]]
    assert (len(seats), seats.count("random"), seats.count(None)) == (bots + 1, bots, 1)


def test_a_public_table_shows_up_by_itself_and_can_be_joined(people: Visitors) -> None:
    bea = people.page()
    expect(bea.get_by_text("No open tables right now.")).to_be_visible()
    ann = person(people, "Ann")
    open_table(ann, "aetharn", seats=4, name="By link")
    open_table(ann, "aetharn", seats=4, name="Friday dice", visibility="public")
    row = bea.get_by_role("link", name="Friday dice")
    expect(row).to_contain_text("Aetharn · 4 seats free")
    expect(bea.get_by_role("link", name="By link")).to_have_count(0)
    row.click()
    expect(bea.get_by_role("button", name="Sit down")).to_be_visible()


@pytest.mark.proof
def test_a_table_with_somebody_present_is_seen_before_many_newer_ones(people: Visitors, hall: PageHall) -> None:
    ann, eve = person(people, "Ann"), entered(hall.url, "Eve")
    path = open_table(ann, "aetharn", seats=4, name="Friday dice", visibility="public")
    go(people, ann, path)
    sit(ann)
    expect(ann.get_by_role("button", name="Stand up")).to_be_visible()
    for _ in range(25):
        post(hall, "/api/tables", {"game": "wards"}, eve)
    bea = people.page()
    tables = bea.get_by_role("region", name="Open tables").get_by_role("link")
    expect(tables.first).to_contain_text("Friday dice")


@pytest.mark.proof
def test_a_table_where_it_is_my_turn_waits_for_me_and_for_nobody_else(people: Visitors) -> None:
    ann, bea = person(people, "Ann"), person(people, "Bea")
    wait_for(people, ann)
    for page in (ann, bea):
        go(people, page, "/")
    mine = ann.get_by_role("region", name="Waiting for you").get_by_role("link", name="Slow evening")
    expect(mine).to_contain_text("Your turn")
    ann.set_viewport_size({"width": 1280, "height": 800})
    expect(ann.get_by_role("button", name="Play now: Dice Wards")).to_be_in_viewport(ratio=1)
    expect(bea.get_by_role("heading", name="Open tables")).to_be_visible()
    expect(bea.get_by_role("link", name="Slow evening")).to_have_count(0)
    mine.click()
    expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()
