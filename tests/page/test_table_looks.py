"""A table as it looks: nothing sideways on a phone, no rule of accessibility broken."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.halls import PageHall
from tests.page.tables import choose, no_sideways, press, two
from tools.scenes_table import SCENES

SCREENS = ("waiting", "invited", "playing-wards", "playing-aetharn", "playing-tenthousand", "over")
FULL = [(screen, size, light) for screen in SCREENS for size in ("phone", "desk") for light in ("light", "dark")]


@pytest.mark.proof
@pytest.mark.parametrize(("screen", "size", "light"), FULL)
def test_every_table_is_accessible_and_fits_every_screen(
    people: Visitors, hall: PageHall, screen: str, size: str, light: str
) -> None:
    """Every day test_accessible.py looks at a table of each game."""
    more: dict[str, Any] = {"viewport": PHONE if size == "phone" else DESK, "color_scheme": light}
    page = SCENES[screen](people, hall, more)
    no_sideways(page)
    axe(page)


@pytest.mark.proof
def test_what_i_may_do_is_within_reach_of_a_thumb(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "aetharn", {"viewport": PHONE})
    expect(ann.get_by_role("button", name="Roll 6 dice")).to_be_in_viewport(ratio=1)
    hall.script((1, 1, 5, 5, 2, 3))
    press(ann, "Roll")
    choose(ann, 1)
    for name in ("Roll 5 dice", "Bank +100", "Fold"):
        button = ann.get_by_role("button", name=name)
        expect(button).to_be_in_viewport(ratio=1)
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


@pytest.mark.proof
def test_where_colours_are_forced_a_held_die_is_still_told(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "aetharn", {"forced_colors": "active"})
    hall.script((1, 1, 5, 5, 2, 3))
    press(ann, "Roll")
    choose(ann, 1)
    held, loose = (ann.get_by_role("button", name=f"Die {place}: 1") for place in (1, 2))
    colour = loose.evaluate("die => getComputedStyle(die.querySelector('.front')).backgroundColor")
    expect(held.locator(".front")).not_to_have_css("background-color", colour)
