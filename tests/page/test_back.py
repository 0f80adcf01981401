"""The Back of a phone closes what lies over the page before it leaves the page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.page.browsers import PHONE, Visitors
from tests.page.halls import PageHall
from tests.page.played import BOT, win
from tests.page.tables import go, open_table, person, two, wait_until


def at_a_table(people: Visitors) -> tuple[Page, str]:
    """Somebody with a game before them, who came from the lobby."""
    page = person(people, "Ann", viewport=PHONE)
    table = open_table(page, "wards", bots=BOT)
    go(people, page, "/")
    go(people, page, table)
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_visible()
    return page, table


def test_back_closes_the_rules_and_only_then_leaves_the_table(people: Visitors) -> None:
    page, table = at_a_table(people)
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog", name="How to play Dice Wards")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(people.url + table)
    page.go_back()
    expect(page).to_have_url(people.url + "/")


def test_a_panel_that_was_closed_otherwise_costs_no_press_of_back(people: Visitors) -> None:
    page, _ = at_a_table(people)
    closings: tuple[Callable[[], None], ...] = (
        lambda: page.get_by_role("button", name="Close").click(),
        lambda: page.keyboard.press("Escape"),
    )
    for close in closings:
        page.get_by_role("button", name="Rules").click()
        expect(page.get_by_role("dialog", name="How to play Dice Wards")).to_be_visible()
        close()
        expect(page.get_by_role("dialog")).to_have_count(0)
        wait_until(page, "!history.state?.panels")
    page.go_back()
    expect(page).to_have_url(people.url + "/")


def test_back_closes_the_analysis_of_a_game_and_shows_its_result_again(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann", viewport=PHONE)
    table = win(people, hall, page)
    page.get_by_role("button", name="Analyse my game").click()
    expect(page.get_by_role("dialog", name="Game analysis")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(people.url + table)
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()


def test_back_from_where_a_link_in_a_panel_led_comes_to_the_table_at_once(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann", viewport=PHONE)
    table = win(people, hall, page)
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    # Any link will do: the panels have some only where a game went a certain way.
    page.evaluate("document.querySelector('dialog[open] p').innerHTML = '<a href=\"/leaders/wards\">Leaderboard</a>'")
    page.get_by_role("dialog").get_by_role("link", name="Leaderboard").click()
    expect(page.get_by_role("heading", name="Leaderboard").first).to_be_visible()
    page.go_back()
    expect(page).to_have_url(people.url + table)
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("history.state?.panels ?? 0") == 0


def test_a_page_that_is_loaded_again_with_a_panel_open_needs_one_press_of_back_to_leave(people: Visitors) -> None:
    page, _ = at_a_table(people)
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_visible()
    wait_until(page, "!history.state?.panels")
    page.go_back()
    expect(page).to_have_url(people.url + "/")


def test_back_closes_the_guide_of_a_first_game(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann", viewport=PHONE, guided=True)
    table = open_table(page, "wards", bots=BOT)
    go(people, page, table)
    expect(page.get_by_role("dialog", name="Dice Wards in three steps")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(people.url + table)


def test_back_closes_the_question_whether_to_fold_and_nobody_has_folded(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "aetharn", {"viewport": PHONE})
    table = ann.url
    ann.get_by_role("button", name="Fold").click()
    expect(ann.get_by_role("dialog", name="Fold?")).to_be_visible()
    ann.go_back()
    expect(ann.get_by_role("dialog")).to_have_count(0)
    expect(ann).to_have_url(table)
    expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()


def test_back_closes_the_reactions(people: Visitors) -> None:
    page, table = at_a_table(people)
    page.get_by_role("button", name="React").click()
    expect(page.get_by_role("group", name="Reactions")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("group", name="Reactions")).to_have_count(0)
    expect(page).to_have_url(people.url + table)
