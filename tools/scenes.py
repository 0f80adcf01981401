"""The screens of the page, each with how somebody gets there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors, guest
from tests.page.halls import PageHall
from tools import scenes_fights, scenes_hall, scenes_later, scenes_matches, scenes_moments, scenes_table

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]
newcomer = scenes_hall.newcomer
LATE = re.compile("Round [345] of 6")


def address(path: str) -> Scene:
    """A screen that is simply an address, as a guest sees it."""

    def go(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
        page = people.page(path, **more)
        guest(page, "Ann")
        return page

    return go


def against_bots(game: str) -> Scene:
    """A table against bots, just begun."""

    def go(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
        page = people.page(f"/play/{game}", **more)
        guest(page, "Ann")
        page.get_by_role("button", name="Play against bots").click()
        page.wait_for_url("**/t/*")
        expect(page.get_by_role("region", name="The board")).to_be_visible()
        return page

    return go


def fight(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """DO or DICE against bots with real dice, in its third round or later, when there is somebody to choose."""
    page = against_bots("doordice")(people, hall, more)
    board = page.get_by_role("region", name="The board")
    targets, roll = board.locator("button.can"), board.get_by_role("button", name="Roll", exact=True)
    for _ in range(240):
        if targets.count() and board.get_by_text(LATE).count():
            break
        for button in (targets.last, roll, board.locator(".actions button").first):
            if button.count() and button.is_enabled():
                button.click()
                break
        page.wait_for_timeout(250)
    return page


def lost(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """An address within the page that leads nowhere."""
    page = people.page("/", **more)
    page.evaluate("history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    return page


LOST = {
    "no-such-game": "/play/chess",
    "no-such-player": "/players/nobody",
    "me-nobody": "/me",
    "leaders-empty": "/leaders/mana",
    "lobby-empty": "/",
}
SCENES: dict[str, Scene] = {
    **scenes_hall.SCENES,
    "sealed": address("/sealed"),
    "lost": lost,
    **{name: newcomer(path) for name, path in LOST.items()},
    **{f"table-{game}": against_bots(game) for game in ("wards", "aetharn", "tenthousand", "mana")},
    "table-doordice": fight,
    **scenes_table.SCENES,
    **scenes_fights.SCENES,
    **scenes_moments.SCENES,
    **scenes_matches.SCENES,
    **scenes_later.SCENES,
}
