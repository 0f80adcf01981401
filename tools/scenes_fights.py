"""The screens of DO or DICE and Mana, and of the envelope at a roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.fights import armies, duel, five, strike
from tests.page.halls import PageHall
from tests.page.tables import press

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]


def doordice(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """A fight of two people and three bots, some rounds in: one is a ghost already."""
    ann, bea = five(people, hall, more, rules={"hp": 8})
    for face in (4, 6):
        strike(hall, ann, face, "Bea")
        strike(hall, bea, 6, "Bolt")
    return ann


SCENES: dict[str, Scene] = {"playing-doordice": doordice}
