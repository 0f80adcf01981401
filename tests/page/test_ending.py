"""The end of a game is an event: its result is on the screen wherever one was, and nothing is said twice."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.played import win
from tests.page.tables import person, press, two

PHONE = {"width": 390, "height": 844}


@pytest.mark.proof
def test_the_result_comes_into_view_from_the_end_of_a_page_and_from_a_dialog(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "tenthousand", {"viewport": PHONE}, rules={"goal": 1000})
    hall.script((1, 1, 1, 2, 3, 4))
    press(ann, "Roll")
    ann.get_by_role("button", name="Pick best (1000)").click()
    bea.get_by_role("button", name="Rules").click()
    bea.evaluate("scrollTo(0, document.body.scrollHeight)")
    press(ann, "Bank +1000")
    for page, title in ((ann, "You win!"), (bea, "Ann wins")):
        expect(page.get_by_role("heading", name=title)).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
        expect(page.get_by_text("1000–0, by 1000 points")).to_be_visible()
        expect(page.get_by_text("Best turn: 1000")).to_be_visible()
        assert page.get_by_role("main").get_by_text(title, exact=True).count() == 1
        assert page.get_by_role("region", name="Scoreboard").count() == 0
    expect(bea.get_by_role("dialog")).to_have_count(0)


@pytest.mark.proof
def test_a_streak_is_counted_and_the_result_can_be_shared_as_a_picture(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann")
    win(people, hall, page)
    place = page.get_by_role("button", name="Share result").bounding_box()
    expect(page.get_by_text("You won with")).to_be_visible()  # the coach, a moment later
    assert page.get_by_role("button", name="Share result").bounding_box() == place
    assert page.get_by_text("wins in a row").count() == 0
    win(people, hall, page)
    expect(page.get_by_text("2 wins in a row")).to_be_visible()
    page.evaluate("delete Navigator.prototype.canShare")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Share result").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    expect(page.get_by_text("Picture saved: dicehall.png")).to_be_visible()


@pytest.mark.proof
def test_the_end_of_a_game_can_be_left_before_the_streak_is_known(people: Visitors, hall: PageHall) -> None:
    """Visitors note what a page complains of on its console."""
    page = person(people, "Ann")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/players/*", hold)
    win(people, hall, page)
    page.get_by_role("link", name="Watch replay").click()
    expect(page.get_by_role("slider", name="Position in the game")).to_be_visible()
    with page.expect_response("**/api/players/*"):
        for route in held:
            route.continue_()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()
