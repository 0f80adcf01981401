"""Somebody who was never here: a guide to the first game, keys on demand, an invitation that says what it is about."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.played import BOT
from tests.page.tables import go, open_table, opened, person, sit

# The hall has heard of a roll already.
ROLLED = """() => fetch('/api/tables/' + location.pathname.split('/').at(-1))
    .then(answer => answer.json()).then(table => table.view.last_roll !== null)"""


def test_the_first_game_of_a_kind_begins_with_three_steps_that_do_not_come_back(people: Visitors) -> None:
    page = person(people, "Ann", guided=True)
    go(people, page, open_table(page, "aetharn", seats=2, bots=BOT, rules={"goal": 700}))
    guide = page.get_by_role("dialog", name="Aetharn in three steps")
    expect(guide.get_by_role("listitem")).to_have_count(3)
    expect(guide.get_by_role("listitem").last).to_contain_text("Be the first to bank 700 points.")
    guide.get_by_role("button", name="Let’s play").click()
    expect(guide).to_be_hidden()
    expect(page.get_by_role("table", name="Scoring").first).to_be_visible()
    page.keyboard.press("k")
    expect(page.locator(":root[data-keys]")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("region", name="The board")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(":root[data-keys]")).to_have_count(1)


@pytest.mark.proof
def test_nobody_plays_before_the_guide_is_read(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann", guided=True, speed="fast")
    hall.script((2,))
    bot = [{"seat": 0, "level": "greedy"}]
    go(people, page, open_table(page, "wards", seats=2, bots=bot, drawn=False))
    expect(page.get_by_role("dialog", name="Dice Wards in three steps")).to_be_visible()
    page.wait_for_function(ROLLED)
    expect(page.locator("[aria-label='The board'] .caption")).to_be_empty()
    page.get_by_role("button", name="Let’s play").click()
    expect(page.get_by_text("rolls a 2.").first).to_be_visible()


def test_a_friend_reads_the_three_steps_while_no_clock_runs(people: Visitors) -> None:
    ann = person(people, "Ann", guided=True)
    path = open_table(ann, "aetharn", seats=3)
    go(people, ann, path)
    sit(ann)
    expect(ann.get_by_role("button", name="Stand up")).to_be_visible()
    expect(ann.get_by_role("dialog")).to_have_count(0)  # she has a link to send first
    bea = person(people, "Bea", path, guided=True)
    sit(bea)
    for page in (ann, bea):
        guide = page.get_by_role("dialog", name="Aetharn in three steps")
        guide.get_by_role("button", name="Let’s play").click()
        expect(guide).to_be_hidden()
    expect(bea.get_by_role("button", name="Start game")).to_be_enabled()  # it has not begun


def test_an_invited_friend_reads_what_is_played_and_by_which_house_rules(people: Visitors, hall: PageHall) -> None:
    friend = people.page(opened(hall, "wards", rules={"goal": 42}))
    invitation = friend.get_by_role("region", name="There’s a seat for you")
    expect(invitation).to_contain_text("Dice Wards.")
    expect(invitation).to_contain_text("House rules: Points to win: 42 instead of 100")
    assert "Clock" not in invitation.inner_text()


def test_whoever_opens_a_table_sits_there_already(people: Visitors) -> None:
    page = person(people, "Ann", "/play/aetharn")
    page.get_by_label("Password (optional)").fill("walnut")
    page.get_by_role("button", name="Open table").click()
    expect(page.get_by_role("button", name="Stand up")).to_be_visible()
    expect(page.get_by_label("Table password")).to_have_count(0)
