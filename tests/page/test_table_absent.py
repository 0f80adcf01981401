"""Who is not there: a table that falls asleep and wakes, absences and removals for all to see, tables given up."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import go, open_table, opened, press, seat_of, seated, sit, told, two

QUICK = {"turn_seconds": 1}


def path_of(people: Visitors, page: Page) -> str:
    return page.url.removeprefix(people.url)


def notice(page: Page, title: str) -> Locator:
    return page.get_by_text(title, exact=True)


def leaves(page: Page) -> Any:
    """Closes the browser; what it keeps, to come back with."""
    kept = page.context.storage_state()
    page.context.close()
    return kept


@pytest.mark.proof
def test_a_table_that_everybody_left_falls_asleep_and_wakes_when_one_comes_back(
    people: Visitors, hall: PageHall
) -> None:
    ann, bea = two(people, hall, "wards", rules=QUICK)
    path = path_of(people, ann)
    watching = people.page(path)
    expect(watching.get_by_role("region", name="The board")).to_be_visible()
    kept = leaves(ann)
    leaves(bea)
    expect(notice(watching, "Paused: nobody is playing")).to_be_visible()
    expect(watching.get_by_text("Any player at the table can resume.")).to_be_visible()
    expect(watching.get_by_role("button", name="Wake it")).to_have_count(0)
    expect(watching.get_by_role("timer")).to_have_count(0)
    for name in ("Ann", "Bea"):
        expect(seat_of(watching, name)).to_contain_text("away")
    ann = people.page(path, storage_state=kept)
    for page in (watching, ann):
        told(page, "Ann is back. The game resumes.")
        expect(seat_of(page, "Ann")).not_to_contain_text("away")
        expect(seat_of(page, "Bea")).to_contain_text("away")


@pytest.mark.proof
def test_a_table_at_which_nobody_moves_sleeps_and_is_woken_with_one_press(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", rules=QUICK)
    for page in (ann, bea):
        expect(notice(page, "Paused: nobody is playing")).to_be_visible()
        expect(page.get_by_text("The game is paused.", exact=True)).to_be_visible()
        expect(page.get_by_text("is playing.", exact=True)).to_have_count(0)
    here, there = (page.get_by_role("region", name="The board") for page in (ann, bea))
    expect(here).to_contain_text("ran out of time")
    was_ann = "You ran out of time." in here.inner_text()  # a slow browser comes when the clock has run out before
    expect(here).to_contain_text("You ran out of time." if was_ann else "Bea ran out of time and banks 0.")
    expect(there).to_contain_text("Ann ran out of time and banks 0." if was_ann else "You ran out of time.")
    expect(ann.get_by_role("timer")).to_have_count(0)
    bea.get_by_role("button", name="Resume").click()
    expect(notice(bea, "Paused: nobody is playing")).to_be_hidden()
    for page in (ann, bea):
        told(page, "Bea is back. The game resumes.")


@pytest.mark.proof
def test_who_is_gone_is_shown_away_and_no_bot_stands_in_within_two_minutes(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "tenthousand")
    bea.context.close()
    expect(seat_of(ann, "Bea")).to_contain_text("away")
    expect(ann.get_by_text("If Bea stays away, you can let a bot take over. Time left:")).to_be_visible()
    expect(ann.get_by_role("timer", name="seconds until a bot can play")).to_contain_text("1")  # 110 s and more
    expect(ann.get_by_role("button", name="Let a bot play")).to_have_count(0)
    told(ann, "Bea is away.")


@pytest.mark.proof
@pytest.mark.parametrize("game", ["wards", "mana"])
def test_the_board_stays_where_it_is_when_somebody_goes_away(people: Visitors, hall: PageHall, game: str) -> None:
    ann, bea = two(people, hall, game, {"viewport": {"width": 390, "height": 844}})
    board = ann.get_by_role("region", name="The board")
    before = board.bounding_box()
    bea.context.close()
    offer = ann.get_by_text("If Bea stays away, you can let a bot take over. Time left:")
    expect(offer).to_be_visible()
    assert board.bounding_box() == before
    below = offer.bounding_box()
    assert before is not None
    assert below is not None
    assert below["y"] > before["y"] + before["height"]
    expect((board if game == "mana" else seat_of(ann, "Bea")).get_by_text("away").first).to_be_visible()


@pytest.mark.proof
def test_a_bot_plays_on_for_who_left_for_good_when_the_others_agree(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "tenthousand")
    bea.get_by_role("button", name="Leave").click()
    bea.get_by_role("button", name="Leave the table").click()
    expect(bea.get_by_role("heading", name="Open tables")).to_be_visible()
    expect(bea.get_by_role("link", name="Friday dice")).to_have_count(0)
    told(ann, "Bea left for good.")
    ann.get_by_role("button", name="Let a bot play").click()
    expect(seat_of(ann, "Bea")).to_contain_text("played by a bot")
    told(ann, "A bot is playing for Bea.")
    hall.script((1, 1, 1, 2, 3, 4))
    press(ann, "Roll")
    expect(ann.get_by_role("button", name="Die 1: 1")).to_be_visible()
    ann.keyboard.press("a")
    ann.keyboard.press("b")
    told(ann, "Bea rolls")


@pytest.mark.proof
def test_who_does_not_come_back_to_aetharn_in_time_is_removed_before_everybody(
    people: Visitors, hall: PageHall
) -> None:
    path = opened(hall, "aetharn", seats=3, rules={"grace_seconds": 2})
    ann, bea, cy = (seated(people, path, name) for name in ("Ann", "Bea", "Cy"))
    hall.script((1, 1))
    ann.get_by_role("button", name="Start game").click()
    expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()
    watching = people.page(path)
    expect(watching.get_by_role("heading", name="Ann’s turn")).to_be_visible()
    cy.context.close()
    for page in (ann, bea, watching):
        expect(seat_of(page, "Cy").get_by_role("timer", name="seconds to return")).to_be_visible()
        told(page, "Cy is away.")
    for page in (ann, bea, watching):
        expect(seat_of(page, "Cy")).to_contain_text("removed")
        expect(seat_of(page, "Cy").get_by_role("timer")).to_have_count(0)
    ann.keyboard.press("f")
    ann.get_by_role("dialog", name="Fold?").get_by_role("button", name="Fold").click()
    expect(watching.get_by_role("listitem").filter(has_text="folded")).to_contain_text("Ann")
    expect(watching.get_by_role("heading", name="Bea wins")).to_be_visible()
    expect(watching.get_by_role("button", name="Rematch")).to_have_count(0)


@pytest.mark.proof
def test_a_game_of_aetharn_that_everybody_leaves_ends_without_a_winner(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "aetharn", rules={"grace_seconds": 1})
    watching = people.page(path_of(people, ann))
    expect(watching.get_by_role("heading", name="Ann’s turn")).to_be_visible()
    ann.context.close()
    bea.context.close()
    expect(watching.get_by_role("heading", name="Nobody wins")).to_be_visible()
    expect(watching.get_by_role("region", name="Nobody wins")).to_contain_text("Everyone left, so nobody wins.")
    told(watching, "Everyone has left, so nobody wins.")


@pytest.mark.proof
def test_a_table_that_its_opener_closes_says_so_to_who_waited_there(people: Visitors, hall: PageHall) -> None:
    ann = people.page("/me", "Ann")
    path = open_table(ann, "aetharn", seats=3)
    go(people, ann, path)
    sit(ann)
    bea = seated(people, path, "Bea")
    ann.get_by_role("button", name="Close table").click()
    for page in (ann, bea):
        expect(notice(page, "This table is closed")).to_be_visible()
        told(page, "The table was closed")
    bea.get_by_role("link", name="Back to the lobby").click()
    expect(bea.get_by_role("heading", name="Open tables")).to_be_visible()


@pytest.mark.proof
def test_a_table_whose_journal_cannot_be_read_says_so_and_opens_by_itself_once_it_can(
    people: Visitors, hall: PageHall
) -> None:
    people.may_be_away = True
    ann, _ = two(people, hall, "wards")
    path = path_of(people, ann)
    hall.stop()
    with_journal(hall, "UPDATE acts SET act = 'broken' || act WHERE seq = 2")
    hall.start()
    watching = people.page(path)
    expect(watching.get_by_role("heading", name="This table is unavailable")).to_be_visible()
    hall.stop()
    with_journal(hall, "UPDATE acts SET act = CAST(substr(act, 7) AS BLOB) WHERE seq = 2")
    hall.start()
    expect(watching.get_by_role("region", name="The board")).to_be_visible()


def with_journal(hall: PageHall, change: str) -> None:
    with closing(sqlite3.connect(hall.folder / "hall.db")) as journal:
        journal.execute(change)
        journal.commit()
