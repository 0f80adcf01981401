"""The screens beside and after play: replays, the daily challenge, settings, finished games, and German ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.played import BOT, wait_for_kept, win
from tests.page.tables import go, open_table, person, press, two
from tools import scenes_hall

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]
IN_GERMAN = {"locale": "de-DE"}


def replay(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """A finished game in the middle of its replay, with its turning points."""
    ann = finished(people, hall, more)
    ann.get_by_role("link", name="Watch replay").click()
    expect(ann.get_by_role("slider", name="Position in the game")).to_be_visible()
    for _ in range(3):
        ann.get_by_role("button", name="Step forward").click()
    return ann


def finished(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """Dice Wards to 10, over in three turns, as its winner sees it."""
    hall.script((4,), (3,), (6,))
    ann, bea = two(people, hall, "wards", more, rules={"goal": 10})
    for page in (ann, bea, ann):
        press(page, "Roll")
        press(page, "Hold")
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    return ann


def challenge_game(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """A game of today's challenge, just begun."""
    page = person(people, "Ann", "/challenge", **more)
    page.get_by_role("main").get_by_role("button").first.click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("region", name="The board")).to_be_visible()
    return page


def finished_games(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """What can be looked at without a connection."""
    page = person(people, "Ann", **more)
    wait_for_kept(page, win(people, hall, page).removeprefix("/t/"))
    go(people, page, "/offline")
    expect(page.get_by_role("listitem").filter(has_text="Dice Wards")).to_be_visible()
    return page


def in_german(scene: Scene) -> Scene:
    """A screen as somebody sees it whose browser is German."""

    def look(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
        return scene(people, hall, {**more, **IN_GERMAN})

    return look


def guided(game: str) -> Scene:
    """The first game of its kind in a browser."""

    def look(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
        page = person(people, "Ann", guided=True, **more)
        go(people, page, open_table(page, game, seats=2, bots=BOT))
        expect(page.get_by_role("dialog")).to_be_visible()
        return page

    return look


def german_table(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """Aetharn in German, with dice to pick."""
    page = person(people, "Ann", **more, **IN_GERMAN)
    hall.script((1,), (1, 1, 5, 2, 3, 6))
    go(people, page, open_table(page, "aetharn", seats=2, bots=BOT))
    page.get_by_role("region", name="Das Spielfeld").get_by_role("button").first.click()
    return page


SCENES: dict[str, Scene] = {
    "replay": replay,
    "replay-upload": scenes_hall.newcomer("/replay"),
    "challenge": scenes_hall.newcomer("/challenge"),
    "challenge-game": challenge_game,
    "settings": scenes_hall.newcomer("/settings"),
    "offline": finished_games,
    "guide": guided("aetharn"),
    "lobby-german": in_german(scenes_hall.visited),
    "open-german": in_german(scenes_hall.newcomer("/play/aetharn")),
    "settings-german": in_german(scenes_hall.newcomer("/settings")),
    "table-german": german_table,
}
