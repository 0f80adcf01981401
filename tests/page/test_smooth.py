"""Dice tumble smoothly: nothing keeps the page busy for more than 50 ms while they fall.

What counts is the time that the page's own thread worked, so that a busy machine makes no task long.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import press, told, two

MOST_US = 50_000
ROLLS = [
    ("wards", (5,), "rolls a 5."),
    ("aetharn", (1, 5, 2, 3, 4, 6), "Rolled 1 5 2 3 4 6"),
    ("tenthousand", (1, 1, 1, 1, 5, 5), "rolls 1 1 1 1 5 5."),
]


@pytest.mark.proof
@pytest.mark.parametrize(("game", "roll", "sentence"), ROLLS)
def test_no_task_is_long_while_dice_fall(
    browser: Browser, people: Visitors, hall: PageHall, game: str, roll: tuple[int, ...], sentence: str
) -> None:
    ann, _ = two(people, hall, game, {"reduced_motion": "no-preference"})
    hall.script(roll)
    browser.start_tracing(page=ann, categories=["toplevel"])
    press(ann, "Roll")
    told(ann, sentence)
    at_rest(ann)
    worked = tasks(json.loads(browser.stop_tracing())["traceEvents"])
    assert len(worked) > 10
    assert max(worked) <= MOST_US


def tasks(events: list[dict[str, Any]]) -> list[int]:
    """How long the tasks of pages took, in microseconds of work."""
    names = (event for event in events if event["name"] == "thread_name")
    threads = {(name["pid"], name["tid"]) for name in names if name["args"]["name"] == "CrRendererMain"}
    return [event["tdur"] for event in events if "tdur" in event and (event["pid"], event["tid"]) in threads]


def at_rest(page: Page) -> None:
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
