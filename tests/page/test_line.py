"""When the line to the hall breaks, the hall restarts, or a second tab is opened: nothing is lost, and all is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browsers import Cable, SlowLooks, Visitors, guest, visitors
from tests.page.ears import Ears
from tests.page.halls import PageHall, page_hall
from tests.page.tables import press, told, two

LOST = "Connection lost."


def test_a_restart_of_the_hall_is_survived_without_a_reload(people: Visitors, hall: PageHall) -> None:
    people.may_be_away = True
    hall.script((5,), (4,))
    ann, bea = two(people, hall, "wards")
    press(ann, "Roll")
    told(bea, "Ann rolls a 5.")
    stay(ann)
    hall.stop()
    expect(ann.get_by_text(LOST)).to_be_visible()
    hall.start()
    expect(ann.get_by_text(LOST)).to_be_hidden()
    press(ann, "Roll")
    for page in (ann, bea):
        told(page, "Ann rolls a 4.")
        expect(page.get_by_role("region", name="The board")).to_contain_text("9")
    assert stayed(ann)


def test_a_move_made_while_the_line_is_lost_is_done_once_it_is_back(people: Visitors, hall: PageHall) -> None:
    people.may_be_away = True
    hall.script((6,))
    ann, bea = two(people, hall, "wards")
    hall.stop()
    expect(ann.get_by_text(LOST)).to_be_visible()
    press(ann, "Roll")
    hall.start()
    for page in (ann, bea):
        told(page, "Ann rolls a 6.")
    expect(ann.get_by_role("region", name="Game log").get_by_text("Ann rolls a", exact=False)).to_have_count(1)


def test_somebody_who_comes_or_goes_takes_no_move_from_me(people: Visitors, hall: PageHall) -> None:
    hall.script((6,))
    ann, bea = two(people, hall, "wards")
    looks = SlowLooks().plug(ann)
    expect(ann.get_by_role("region", name="The board").get_by_role("button", name="Roll")).to_be_enabled()
    bea.reload()
    looks.wait(ann)  # her page has heard of it, and does not know yet how the table stands
    press(ann, "Roll")
    told(bea, "Ann rolls a 6.")


@pytest.mark.proof
def test_whose_line_was_cut_hears_everything_that_happened_meanwhile(people: Visitors, hall: PageHall) -> None:
    hall.script((2,), (3,))
    ann, bea = two(people, hall, "wards")
    cable = Cable().plug(bea)
    told(bea, "The game begins.")
    ears = Ears.on(bea)
    cable.cut()
    expect(bea.get_by_text(LOST)).to_be_visible()
    for face in (2, 3):
        press(ann, "Roll")
        told(ann, f"Ann rolls a {face}.")
    expect(bea.get_by_text("Ann rolls a")).to_have_count(0)
    cable.mend()
    for face in (2, 3):
        told(bea, f"Ann rolls a {face}.")
    expect(bea.get_by_text(LOST)).to_be_hidden()
    ears.hear_the_story_once()


@pytest.mark.proof
def test_a_second_tab_takes_over_politely_and_the_first_can_take_back(people: Visitors, hall: PageHall) -> None:
    hall.script((5,), (6,))
    ann, bea = two(people, hall, "wards")
    second = people.tab(ann.context, ann.url.removeprefix(people.url))
    expect(ann.get_by_text("You’re playing in another window")).to_be_visible()
    expect(ann.get_by_role("button", name="Roll", disabled=False)).to_have_count(0)  # it only watches
    press(second, "Roll")
    told(bea, "Ann rolls a 5.")
    told(ann, "Ann rolls a 5.")
    ann.get_by_role("button", name="Play here").click()
    expect(second.get_by_text("You’re playing in another window")).to_be_visible()
    press(ann, "Roll")
    told(bea, "Ann rolls a 6.")


@pytest.fixture
def below(browser: Browser, built: Path, tmp_path: Path) -> Iterator[Visitors]:
    """A hall that is reached under a path of its own."""
    with page_hall(tmp_path, "/dice", built) as hall, visitors(browser, hall.url) as people:
        yield people


def test_the_page_works_under_a_path_prefix(below: Visitors) -> None:
    page = below.page("/play/wards")
    guest(page, "Ann")
    page.get_by_role("button", name="Play against bots").click()
    page.wait_for_url("**/dice/t/*")
    page.reload()
    expect(page.get_by_role("region", name="The board")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_label("Link to this table")).to_have_value(page.url)
    link = page.get_by_role("dialog", name="Share this table").get_by_label("Link to this table")
    expect(link).to_have_value(page.url)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Dicehall").click()
    expect(page.get_by_role("heading", name="Aetharn")).to_be_visible()
    assert page.url.removesuffix("/") == below.url


def stay(page: Page) -> None:
    page.evaluate("window.sameAsBefore = true")


def stayed(page: Page) -> bool:
    return bool(page.evaluate("window.sameAsBefore === true"))
