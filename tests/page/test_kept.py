"""What this browser keeps for its person: the name, the light and the sound they like."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors, guest
from tests.page.halls import PageHall
from tests.page.played import BOT
from tests.page.tables import go, open_table, press


def test_a_guest_keeps_their_name_over_a_reload(people: Visitors) -> None:
    page = people.page()
    guest(page, "Ann")
    page.reload()
    expect(page.get_by_role("link", name="Ann")).to_be_visible()


def test_a_guest_keeps_their_name_when_the_answer_to_who_they_are_is_cut_off(people: Visitors) -> None:
    """As happens to somebody who reloads the page twice."""
    page = people.page("/", "Ann")
    cut_off = page.context.new_page()
    cut_off.route("**/api/me", lambda route: route.fulfill(status=200, content_type="application/json", body='{"id'))
    with cut_off.expect_response("**/api/me"):
        cut_off.goto(people.url)
    expect(cut_off.get_by_role("link", name="Ann")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Ann")).to_be_visible()


COUNT = """(Real => {
    window.sounds = 0;
    window.AudioContext = class extends Real { constructor() { super(); window.sounds += 1; } };
})(window.AudioContext)"""


def sounds(page: Page) -> int:
    made: int = page.evaluate("window.sounds")
    return made


@pytest.mark.proof
def test_no_sound_is_made_until_somebody_asks_for_it(people: Visitors, hall: PageHall) -> None:
    hall.script((5,), (4,))
    page = people.page("/me", "Ann")
    page.add_init_script(COUNT)
    go(people, page, open_table(page, "wards", seats=2, bots=BOT))
    for face in (5, 4):
        press(page, "Roll")
        expect(page.get_by_role("img", name=f"The die: {face}")).to_be_visible()
        assert sounds(page) == (0 if face == 5 else 1)
        page.get_by_role("button", name="Sound").click()
    page.get_by_role("button", name="Sound").click()
    page.reload()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")


@pytest.mark.proof
def test_the_light_that_somebody_chose_stays(people: Visitors) -> None:
    page = people.page("/sealed", color_scheme="light")
    day = ground(page)
    for light in ("light", "dark"):
        page.get_by_role("button", name="Theme:").click()
        expect(page.get_by_role("button", name=f"Theme: {light}")).to_be_visible()
    expect(page.locator("html")).not_to_have_css("background-color", day)
    night = ground(page)
    page.reload()
    expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
    expect(page.locator("html")).to_have_css("background-color", night)


def ground(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return colour
