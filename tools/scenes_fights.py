"""The screens of DO or DICE and Mana, and of the envelope at a roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.fights import BOOST, HEAL, NONE, SHADOW, SHIELD, aim, armies, board, bot, duel, five, roll, send
from tests.page.halls import PageHall

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]
ARMY = armies(
    (17, 3, 20, NONE), (8, 9, 12, BOOST), (4, 12, 25, SHIELD), (12, 6, 28, HEAL),
    (19, 1, 5, BOOST), (10, 10, 10, NONE), (6, 14, 18, HEAL), (15, 5, 22, NONE),
    leagues=(SHADOW,),
)  # fmt: skip


def doordice(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """Two people and three bots in the third round: somebody is a ghost already, and Ann has to choose."""
    hall.script((4,), (6,), (5,), (5,), (5,), (4,), (3,), (5,), (1,), (5,), (6,))
    ann, bea = five(people, more, hp=8)
    roll(ann)
    aim(ann, "strike", "Bea")
    roll(bea)
    aim(bea, "hammer", bot(bea, 3))
    roll(ann)
    aim(ann, "strike", "Bea")
    roll(bea)
    board(bea).get_by_role("button", name="Mend").click()
    aim(bea, "mend", bot(bea, 2))
    roll(ann)
    expect(board(ann).get_by_role("button", name="Glory")).to_be_visible()
    return ann


def ghost(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """The same table as a ghost sees it."""
    hall.script((4,), (5,))
    ann, bea = five(people, more, hp=4)
    roll(ann)
    aim(ann, "strike", "Bea")
    roll(bea)
    return bea


def picking(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """The third round of a match: two units of each side are spent, and a third is chosen."""
    ann, bea = duel(people, hall, ARMY, more)
    for mine, theirs in ((1, 4), (5, 1)):
        send(ann, mine)
        send(bea, theirs)
    board(ann).get_by_role("button", name="Your unit 2:").click()
    return ann


def picked(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """A pick that only its owner sees."""
    ann, _ = duel(people, hall, ARMY, more)
    send(ann, 5)
    return ann


def envelope(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """The envelope of a real roll, opened."""
    ann, _ = five(people, more)
    roll(ann)
    board(ann).get_by_role("button", name="verified").click()
    return ann


SCENES: dict[str, Scene] = {
    "playing-doordice": doordice,
    "ghost": ghost,
    "playing-mana": picking,
    "picked-mana": picked,
    "envelope": envelope,
}
