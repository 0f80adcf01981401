"""The screens of moments that are not the rule: dialogs, absences, lost lines, ends, and what happens round a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Cable, Visitors
from tests.page.fights import aim, bot, five, roll
from tests.page.halls import PageHall
from tests.page.played import enter, win_rated
from tests.page.tables import choose, go, open_table, opened, person, press, seated, sit, two

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]
PAGE = dict[str, Any]
NAMES = ("Ann Rowan", "Bea Finch", "Cy of the Long and Winding River", "Dee")


def tool(name: str, title: str, game: str = "aetharn") -> Scene:
    """One of the tools over a board, opened."""

    def look(people: Visitors, hall: PageHall, more: PAGE) -> Page:
        ann, _ = two(people, hall, game, more)
        ann.get_by_role("button", name=name, exact=True).click()
        expect(ann.get_by_role("dialog", name=title)).to_be_visible()
        return ann

    return look


def sleeping(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """Nobody moved twice, so no clock runs."""
    ann, _ = two(people, hall, "wards", more, rules={"turn_seconds": 1})
    expect(ann.get_by_text("Paused: nobody is playing", exact=True)).to_be_visible()
    return ann


def closed(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """Who opened the table has closed it again, while somebody sat there."""
    ann = person(people, "Ann")
    path = open_table(ann, "aetharn", name="Friday dice")
    go(people, ann, path)
    sit(ann)
    bea = seated(people, path, "Bea", **more)
    ann.get_by_role("button", name="Close table").click()
    expect(bea.get_by_text("This table is closed")).to_be_visible()
    return bea


def leave(page: Page, way: str) -> None:
    page.get_by_role("button", name="Leave", exact=True).click()
    page.get_by_role("button", name=way).click()


def away(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """Somebody stood up, and everybody sees how long they have to return."""
    ann, bea = two(people, hall, "aetharn", more, rules={"turn_seconds": None})
    leave(bea, "Take a break")
    expect(ann.get_by_role("timer", name="seconds to return")).to_be_visible()
    return ann


def stood_up(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """The same for who stood up."""
    _, bea = two(people, hall, "aetharn", more, rules={"turn_seconds": None})
    leave(bea, "Take a break")
    expect(bea.get_by_role("button", name="I’m back")).to_be_visible()
    return bea


def stand_in(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """A bot plays for me, and I may take back my seat."""
    ann, _ = two(people, hall, "wards", more, rules={"turn_seconds": None})
    leave(ann, "Let a bot play for me")
    expect(ann.get_by_role("button", name="Take my seat back")).to_be_visible()
    return ann


def refused(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """What was pressed was refused, and why is said below it."""
    page = people.page("/sign-in", **more)
    page.get_by_label("Name", exact=True).fill("Nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).last.click()
    expect(page.get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()
    return page


def line_lost(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    _, bea = two(people, hall, "wards", more)
    cable = Cable().plug(bea)
    expect(bea.get_by_role("heading", name="turn")).to_be_visible()
    cable.cut()
    expect(bea.get_by_text("Connection lost.")).to_be_visible()
    return bea


def second_tab(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    ann, _ = two(people, hall, "wards", more, rules={"turn_seconds": None})
    people.tab(ann.context, ann.url.removeprefix(people.url))
    expect(ann.get_by_text("You’re playing in another window")).to_be_visible()
    return ann


def watching(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """Somebody who only looks."""
    ann, _ = two(people, hall, "aetharn", more, rules={"turn_seconds": None})
    press(ann, "Roll")
    page = people.page(ann.url.removeprefix(people.url), **more)
    expect(page.get_by_role("region", name="The board")).to_be_visible()
    return page


def hint(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """The coach was asked."""
    hall.script((6,), (4,))
    ann, _ = two(people, hall, "wards", more, hints=True, rules={"goal": 20})
    press(ann, "Roll")
    ann.get_by_role("button", name="Get a hint").click()
    expect(ann.get_by_text("your chance to win")).to_be_visible()
    return ann


def folding(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    ann, _ = two(people, hall, "aetharn", more, rules={"turn_seconds": None})
    press(ann, "Fold")
    expect(ann.get_by_role("dialog", name="Fold?")).to_be_visible()
    return ann


def bust(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """Nothing in it: the dice go on."""
    ann, bea = two(people, hall, "tenthousand", more, rules={"turn_seconds": None})
    hall.script((1, 1, 1, 5, 3, 2), (2, 3, 4))
    press(ann, "Roll")
    choose(ann, 1, 2, 3)
    press(ann, "Roll")
    expect(bea.get_by_text("bust, 1000 lost")).to_be_visible()
    return bea


def again(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """Another game after one that is over: the first of the two sits there already."""
    hall.script((6,))
    ann, _ = two(people, hall, "wards", more, rules={"goal": 5})
    press(ann, "Roll")
    press(ann, "Hold")
    ann.get_by_role("button", name="Rematch").click()
    expect(ann.get_by_role("heading", name="seats taken")).to_be_visible()
    expect(ann.get_by_role("button", name="Stand up")).to_be_visible()
    return ann


def coached(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """What the coach says of a game that is over."""
    hall.script((4,), (3,), (6,))
    ann, bea = two(people, hall, "wards", more, rules={"goal": 10})
    for page in (ann, bea, ann):
        press(page, "Roll")
        press(page, "Hold")
    ann.get_by_role("button", name="Analyse my game").click()
    dialog = ann.get_by_role("dialog", name="Game analysis")
    expect(dialog).to_contain_text("luck", ignore_case=True)
    return ann


def locked(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """A table with a password, for who comes by the link."""
    return people.page(opened(hall, "mana", password="sesame"), **more)


def many(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """A long table: twelve seats, most of them bots."""
    bots = [{"seat": seat, "level": "greedy"} for seat in range(1, 12)]
    ann = person(people, "Ann", **more)
    go(people, ann, open_table(ann, "tenthousand", seats=12, bots=bots, rules={"turn_seconds": None}))
    expect(ann.get_by_role("region", name="The board")).to_be_visible()
    return ann


def leaders(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """A leaderboard with people on it, one of them with a long name."""
    pages = [people.page("/sign-in", **(more if name == NAMES[0] else {})) for name in NAMES]
    for page, name in zip(pages, NAMES, strict=True):
        enter(page, name[:24], "/api/accounts")
    first, second, third, fourth = pages
    for winner, loser in ((first, second), (second, third), (first, third), (third, fourth)):
        win_rated(hall, winner, loser)
    go(people, first, "/leaders/all")
    expect(first.get_by_role("row", name="Dee")).to_be_visible()
    return first


def typing(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """A phone whose keyboard takes half of the screen, while somebody types their name."""
    size = more["viewport"]
    page = people.page(opened(hall, "wards"), **{**more, "viewport": {**size, "height": size["height"] // 2}})
    page.get_by_label("Your name").click()
    return page


def focused(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """By keys alone: where the focus is can be seen."""
    ann, _ = two(people, hall, "aetharn", more, rules={"turn_seconds": None})
    hall.script((1, 1, 5, 5, 2, 3))
    press(ann, "Roll")
    ann.get_by_role("button", name="Die 1:").focus()
    ann.keyboard.press("Space")
    ann.keyboard.press("Tab")
    return ann


def over_doordice(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """The end of a fight: five places, and the last board stays."""
    hall.script((6,), (4,))
    ann, bea = five(people, more, hp=4, rounds=1)
    roll(ann)
    aim(ann, "hammer", bot(ann, 2))
    roll(bea)
    aim(bea, "strike", bot(bea, 3))
    expect(ann.get_by_text("Game over")).to_be_visible()
    return ann


def overlay(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    ann, _ = two(people, hall, "aetharn", more, rules={"turn_seconds": None})
    press(ann, "Roll")
    page = people.page(ann.url.removeprefix(people.url) + "?overlay=1", **more)
    expect(page.get_by_role("region", name="The board")).to_be_attached()
    return page


def chairs(people: Visitors, hall: PageHall, more: PAGE) -> Page:
    """Somebody who came by the link and sits, at a table that somebody else opened."""
    path = opened(hall, "aetharn", seats=4)
    seated(people, path, "Ann")
    return seated(people, path, "Bea", **more)


SCENES: dict[str, Scene] = {
    "share": tool("Share", "Share this table"),
    "rules": tool("Rules", "How to play Aetharn"),
    "rules-wards": tool("Rules", "How to play Dice Wards", "wards"),
    "leave": tool("Leave", "Leave the table?"),
    "leave-wards": tool("Leave", "Leave the table?", "wards"),
    "fold": folding,
    "asleep": sleeping,
    "closed": closed,
    "away": away,
    "stood-up": stood_up,
    "stand-in": stand_in,
    "refused": refused,
    "line-lost": line_lost,
    "second-tab": second_tab,
    "watching": watching,
    "hint": hint,
    "bust": bust,
    "again": again,
    "coach": coached,
    "locked": locked,
    "many-seats": many,
    "leaders-many": leaders,
    "typing": typing,
    "focus": focused,
    "over-doordice": over_doordice,
    "overlay": overlay,
    "seated": chairs,
}
