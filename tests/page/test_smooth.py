"""Dice tumble smoothly: nothing keeps the page busy for more than 50 ms while they fall."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import press, told, two

WATCH = """() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
        .observe({type: 'longtask'});
}"""


@pytest.mark.proof  # a busy machine makes any task long
@pytest.mark.parametrize(
    ("game", "roll", "sentence"), [("wards", (5,), "rolls a 5."), ("aetharn", (1, 5, 2, 3, 4, 6), "1 5 2")]
)
def test_no_task_is_long_while_dice_fall(
    people: Visitors, hall: PageHall, game: str, roll: tuple[int, ...], sentence: str
) -> None:
    ann, bea = two(people, hall, game, {"reduced_motion": "no-preference"})
    hall.script(roll)
    for page in (ann, bea):
        page.evaluate(WATCH)
    press(ann, "Roll")
    for page in (ann, bea):
        told(page, sentence)
        at_rest(page)
        assert page.evaluate("window.longTasks") == []


def at_rest(page: Page) -> None:
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
