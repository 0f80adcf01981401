"""The screens of the page, each with how somebody gets there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.page.browsers import Visitors, guest
from tests.page.halls import PageHall
from tools import scenes_fights, scenes_hall, scenes_table

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]


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
        page.get_by_role("button", name="Play now").first.click()
        page.wait_for_url("**/t/*")
        return page

    return go


SCENES: dict[str, Scene] = {
    **scenes_hall.SCENES,
    "sealed": address("/sealed"),
    **{f"table-{game}": against_bots(game) for game in ("wards", "aetharn", "doordice", "tenthousand", "mana")},
    **scenes_table.SCENES,
    **scenes_fights.SCENES,
}
