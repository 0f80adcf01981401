"""The page as an app on a home screen, and as a picture for streams."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.page.browsers import Visitors, visitors
from tests.page.fights import board, five, roll
from tests.page.halls import PageHall, page_hall

KEPT = "async () => (await (await caches.open('dicehall-page')).keys()).map((request) => request.url)"


def test_the_page_opens_without_a_line_and_keeps_no_game(browser: Browser, built: Path, tmp_path: Path) -> None:
    """Under a path prefix, too: everything the worker does stays below it."""
    with page_hall(tmp_path, "/dice", built) as hall, visitors(browser, hall.url) as people:
        page = people.page("/sealed")
        scope = page.evaluate("async () => (await navigator.serviceWorker.ready).scope")
        assert scope == f"{hall.url}/"
        page.reload()  # now through the worker
        expect(page.get_by_role("heading", name="Sealed dice", exact=True)).to_be_visible()
        page.evaluate("fetch('/dice/api/leaderboards/all').then((answer) => answer.json())")
        kept = page.evaluate(KEPT)
        assert f"{hall.url}/" in kept
        assert [url for url in kept if url != f"{hall.url}/" and not url.startswith(f"{hall.url}/assets/")] == []
        people.may_be_away = True
        hall.stop()
        page.reload()
        expect(page.get_by_role("heading", name="Sealed dice", exact=True)).to_be_visible()
        hall.start()


def test_the_manifest_names_icons_that_are_there(people: Visitors) -> None:
    page = people.page("/sealed")
    href = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = page.request.get(people.url + (href or ""))
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    for icon in manifest.json()["icons"]:
        assert page.request.get(f"{people.url}/{icon['src']}").headers["content-type"] == icon["type"]


@pytest.mark.proof
def test_a_picture_for_streams_shows_the_board_and_takes_no_seat(people: Visitors, hall: PageHall) -> None:
    hall.script((4,))
    ann, _ = five(people)
    shown = people.tab(ann.context, f"{ann.url.removeprefix(hall.url)}?overlay=1")  # the same browser, signed in
    expect(shown.locator("main")).to_contain_text("Round 1 of 6")
    roll(ann)  # so her seat is still carried by her own tab
    expect(shown.locator("main")).to_contain_text("Ann rolled a 4 and is choosing a target.")
    expect(ann.get_by_text("You’re playing in another window")).to_have_count(0)
    expect(board(ann).get_by_role("button", name="strike Bea")).to_be_visible()
    assert shown.locator("main[inert]").count() == 1  # nothing in it can be pressed or reached by keys
    assert shown.locator("header, footer, nav").count() == 0
    assert shown.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgba(0, 0, 0, 0)"
