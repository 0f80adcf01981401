"""The screens round the tables: lobby, opening a table, accounts, profiles, leaderboards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.played import regular
from tests.page.tables import go, open_table, person

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]


def newcomer(path: str) -> Scene:
    """A screen as somebody sees it who was never here."""

    def look(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
        return people.page(path, **more)

    return look


def at(path: str) -> Scene:
    """A screen as somebody sees it who has an account and played before."""

    def look(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
        page = regular(people, hall, more)
        go(people, page, path)
        return page

    return look


def lobby(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """With a table of somebody else's, and one that waits for me."""
    page = at("/")(people, hall, more)
    expect(page.get_by_role("link", name="Friday dice")).to_be_visible()
    expect(page.get_by_role("link", name="Your turn")).to_be_visible()
    return page


def visited(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """A hall with tables in it, for who was never there."""
    host = person(people, "Bea")
    for game, seats, name in (("aetharn", 4, "Friday dice"), ("tenthousand", 12, "The long table"), ("mana", 2, "")):
        open_table(host, game, seats=seats, visibility="public", name=name, bots=[{"seat": 0, "level": "greedy"}])
    page = people.page("/", **more)
    expect(page.get_by_role("link", name="Friday dice").first).to_be_visible()
    return page


def opening(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """The form of a table with everything unfolded."""
    page = people.page("/play/aetharn", **more)
    page.get_by_text("Seats and bots").click()
    page.get_by_text("House rules").click()
    page.evaluate("scrollTo(0, 0)")
    return page


def player(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """Somebody I have played with."""
    page = at("/leaders/all")(people, hall, more)
    page.get_by_role("combobox", name="Show").select_option("guests")
    page.get_by_role("link", name="Bea").first.click()
    expect(page.get_by_role("heading", name="You against Bea")).to_be_visible()
    return page


def signing_up(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """A guest about to keep their name."""
    return person(people, "Ann", "/sign-in", **more)


def guest_profile(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """Somebody who came by a link and has not signed up."""
    return person(people, "Ann", "/me", **more)


SCENES: dict[str, Scene] = {
    "lobby": lobby,
    "lobby-newcomer": visited,
    "open-form": opening,
    "sign-in": newcomer("/sign-in"),
    "sign-up": signing_up,
    "me": at("/me"),
    "me-guest": guest_profile,
    "player": player,
    "leaders": at("/leaders/all"),
    **{f"open-{game}": newcomer(f"/play/{game}") for game in ("wards", "aetharn", "doordice", "tenthousand", "mana")},
}
