"""The screens round the tables are accessible, and no phone has to be scrolled sideways."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.halls import PageHall
from tests.page.played import regular
from tests.page.tables import go, no_sideways
from tools.scenes_hall import SCENES

LOOKS: dict[str, dict[str, Any]] = {
    f"{size}-{light}": {"viewport": viewport, "color_scheme": light}
    for size, viewport in (("phone", PHONE), ("desk", DESK))
    for light in ("light", "dark")
}


SEEN = {
    "/": "Waiting for you",
    "/play/aetharn": "Play with friends",
    "/me": "Statistics",
    "/leaders/all": "Leaderboards",
    "/sign-in": "Welcome back",
}


@pytest.mark.proof
def test_the_screens_round_the_tables_break_no_rule(people: Visitors, hall: PageHall) -> None:
    for look in ("phone-dark", "desk-light"):
        page = regular(people, hall, LOOKS[look])
        for path, heading in SEEN.items():
            go(people, page, path)
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
            for part in page.locator("summary").all():
                part.click()
            no_sideways(page)
            axe(page)


@pytest.mark.proof
@pytest.mark.parametrize("look", LOOKS)
def test_every_scene_round_the_tables_breaks_no_rule(people: Visitors, hall: PageHall, look: str) -> None:
    for scene in SCENES.values():
        page = scene(people, hall, LOOKS[look])
        page.wait_for_load_state("networkidle")
        no_sideways(page)
        axe(page)
