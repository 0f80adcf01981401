"""A table before its game: chairs, bots, the link, the password; and tables that are not there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from dicehall.table import folding
from tests.page.browsers import PHONE, Visitors, entered
from tests.page.halls import PageHall
from tests.page.tables import go, no_sideways, open_table, opened, person, post, sit


def test_a_friend_with_the_link_sits_down_with_one_tap_and_a_suggested_name(people: Visitors) -> None:
    ann = person(people, "Ann")
    path = open_table(ann, "wards")
    go(people, ann, path)
    sit(ann)
    expect(ann.get_by_role("heading", name="1 of 2 seats taken")).to_be_visible()
    expect(ann.get_by_role("button", name="Move here")).to_have_count(0)  # of two seats, either will do
    friend = people.page(path, viewport=PHONE)
    no_sideways(friend)
    expect(friend.get_by_text("Just want to watch? Stay on this page.")).to_be_visible()
    name = friend.get_by_label("Your name").input_value()
    sit(friend)
    expect(friend.get_by_role("heading", name="Ann’s turn")).to_be_visible()
    expect(ann.get_by_role("list").first).to_contain_text(name)


def test_the_opener_adds_bots_and_anybody_seated_starts(people: Visitors) -> None:
    ann = person(people, "Ann")
    go(people, ann, open_table(ann, "aetharn", seats=3))
    sit(ann)
    expect(ann.get_by_role("button", name="Start game")).to_be_disabled()
    ann.get_by_role("button", name="Add bot: seat 2").click()
    expect(ann.get_by_role("heading", name="2 of 3 seats taken")).to_be_visible()
    ann.get_by_role("button", name="Start game").click()
    expect(ann.get_by_role("heading", name="turn")).to_be_visible()


def test_a_table_against_bots_that_i_opened_begins_without_another_tap(people: Visitors) -> None:
    ann = person(people, "Ann")
    go(people, ann, open_table(ann, "tenthousand", seats=2, bots=[{"seat": 1, "level": "greedy"}]))
    expect(ann.get_by_role("heading", name="turn")).to_be_visible()  # the first turn may be the bot's


@pytest.mark.proof
def test_somebody_who_is_removed_from_a_lobby_is_told_so_and_is_offered_no_chair(people: Visitors) -> None:
    ann, bea = person(people, "Ann"), person(people, "Bea")
    path = open_table(ann, "aetharn", seats=3)
    for page in (ann, bea):
        go(people, page, path)
        sit(page)
    expect(bea.get_by_role("button", name="Stand up")).to_be_visible()
    ann.get_by_role("button", name="Remove").click()
    for _ in range(2):
        expect(bea.get_by_text("You were removed from this table")).to_be_visible()
        expect(bea.get_by_role("button", name="Sit")).to_have_count(0)
        bea.reload()
    bea.get_by_role("link", name="Back to the lobby").click()
    bea.wait_for_url(people.url + "/")
    expect(ann.get_by_role("heading", name="1 of 3 seats taken")).to_be_visible()


def left_during_a_start(people: Visitors, hall: PageHall) -> Page:
    """Bea, who sat down where the other player opens no words, and stood up."""
    path = opened(hall, "wards")
    promised = {"commitment": "0" * 64}
    post(hall, f"/api/tables/{path.removeprefix('/t/')}/sit", promised, entered(hall.url, "Ann"))
    bea = person(people, "Bea")
    go(people, bea, path)
    sit(bea)
    bea.get_by_role("button", name="Stand up").click()
    return bea


@pytest.mark.proof
def test_who_left_during_a_start_is_told_when_they_can_sit_down_again_also_after_a_reload(
    people: Visitors, hall: PageHall
) -> None:
    bea = left_during_a_start(people, hall)
    for _ in range(2):
        expect(bea.get_by_text("You can sit down again in")).to_be_visible()
        expect(bea.get_by_role("button", name="Sit")).to_have_count(0)
        bea.reload()


@pytest.mark.proof
def test_who_left_during_a_start_is_offered_a_chair_when_they_can_sit_down_again(
    people: Visitors, hall: PageHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "COOLDOWN_MS", 1000)
    bea = left_during_a_start(people, hall)
    sit(bea)
    expect(bea.get_by_role("button", name="Stand up")).to_be_visible()


@pytest.mark.proof
def test_a_locked_table_against_bots_seats_the_person_who_opened_it(people: Visitors) -> None:
    ann, bea = person(people, "Ann"), person(people, "Bea")
    bots = [{"seat": 1, "level": "greedy"}]
    for game in ("tenthousand", "wards"):
        go(people, ann, open_table(ann, game, seats=2, bots=bots, password="sesame"))
        expect(ann.get_by_role("heading", name="turn")).to_be_visible()
    go(people, bea, open_table(ann, "aetharn", seats=2, bots=bots, password="sesame"))
    expect(bea.get_by_label("Table password")).to_be_visible()


@pytest.mark.proof
def test_the_person_who_opened_a_locked_table_can_choose_a_chair_there(people: Visitors) -> None:
    ann = person(people, "Ann")
    go(people, ann, open_table(ann, "aetharn", seats=3, password="sesame"))
    ann.get_by_role("button", name="Sit here: seat 3").click()
    expect(ann.get_by_role("button", name="Stand up")).to_be_visible()


def test_a_locked_table_asks_for_its_password_and_says_when_it_is_wrong(people: Visitors) -> None:
    ann, bea = person(people, "Ann"), person(people, "Bea")
    go(people, bea, open_table(ann, "aetharn", seats=3, password="sesame"))
    bea.get_by_label("Table password").fill("barley")
    sit(bea)
    expect(bea.get_by_role("alert").filter(has_text="password")).to_be_visible()
    bea.get_by_label("Table password").fill("sesame")
    sit(bea)
    expect(bea.get_by_role("button", name="Stand up")).to_be_visible()
    bea.get_by_role("button", name="Stand up").click()
    expect(bea.get_by_text("This table is closed", exact=True)).to_be_visible()  # who leaves last clears it


def test_the_link_of_a_table_is_there_to_copy(people: Visitors) -> None:
    ann = person(people, "Ann")
    path = open_table(ann, "aetharn", seats=3)
    go(people, ann, path)
    expect(ann.get_by_label("Link to this table")).to_have_value(people.url + path)


def test_a_table_that_is_not_there_is_told_as_that(people: Visitors) -> None:
    page = people.page("/t/nosuchtable")
    expect(page.get_by_role("heading", name="Table not found")).to_be_visible()
    page.get_by_role("link", name="Back to the lobby").click()
    page.wait_for_url(people.url + "/")
