"""The screens of a table: waiting, playing each of the race games, over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import choose, go, open_table, person, press, sit, two

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]


def waiting(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """A table with free chairs, as its opener sees it."""
    ann = person(people, "Ann", **more)
    go(people, ann, open_table(ann, "aetharn", seats=4, bots=[{"seat": 2, "level": "greedy"}], name="Friday dice"))
    sit(ann)
    expect(ann.get_by_role("button", name="Stand up")).to_be_visible()
    return ann


def invited(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """The same for somebody who has only the link."""
    ann = person(people, "Ann")
    path = open_table(ann, "aetharn", seats=4, name="Friday dice")
    go(people, ann, path)
    sit(ann)
    bea = people.page(path, **more)
    expect(bea.get_by_role("heading", level=1)).to_be_visible()
    return bea


def wards(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    hall.script((6,), (5,), (4,), (6,), (3,), (5,))
    ann, bea = two(people, hall, "wards", more)
    for page in (ann, bea):
        press(page, "Roll")
        press(page, "Roll")
        press(page, "Hold")
    press(ann, "Roll")
    press(ann, "Roll")
    return ann


def aetharn(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    ann, bea = two(people, hall, "aetharn", more, rules={"turn_seconds": 90})  # a busy machine is slow
    hall.script((4, 4, 4, 1, 3, 1), (5, 2, 6), (1, 1, 5, 2, 3, 6), (5, 3, 3, 2))
    press(ann, "Roll")
    choose(ann, 1, 2, 3)
    press(ann, "Roll")
    choose(ann, 1)
    press(ann, "Bank")
    press(bea, "Roll")
    choose(bea, 1, 2)
    press(bea, "Roll")
    choose(bea, 1)
    return bea


def tenthousand(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    ann, bea = two(people, hall, "tenthousand", more)
    hall.script((1, 1, 1, 5, 3, 2), (2, 2, 3, 4, 6, 6), (1, 1, 1, 5, 3, 2))
    press(ann, "Roll")
    choose(ann, 1, 2, 3)
    press(ann, "Bank")
    press(bea, "Roll")
    press(ann, "Roll")
    choose(ann, 1, 2, 3, 4)
    return ann


def over(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    hall.script((6,))
    ann, _ = two(people, hall, "wards", more, rules={"goal": 5})
    press(ann, "Roll")
    press(ann, "Hold")
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    return ann


def lost(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    page = people.page("/t/nosuchtable", **more)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


SCENES: dict[str, Scene] = {
    "waiting": waiting,
    "invited": invited,
    "playing-wards": wards,
    "playing-aetharn": aetharn,
    "playing-tenthousand": tenthousand,
    "over": over,
    "no-such-table": lost,
}
