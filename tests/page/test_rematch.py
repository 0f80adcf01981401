"""Playing again: the opponent is asked at once, and whoever sits down at the next table stays there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from dicehall.table import disconnections
from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.played import BOT, win
from tests.page.tables import go, open_table, person, press, seat_of, two


def fold(page: Page) -> None:
    page.keyboard.press("f")
    page.get_by_role("dialog", name="Fold?").get_by_role("button", name="Fold").click()


def away(page: Page) -> int:
    return page.get_by_text("You’re away").count()


def test_the_opponent_is_asked_at_once_and_both_sit_in_their_chairs_for_as_long_as_they_stay(
    people: Visitors, hall: PageHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody whose connection ends later than theirs is away first: then they would be away, too."""
    monkeypatch.setattr(disconnections, "LOST_S", 1.0)
    ann, bea = two(people, hall, "aetharn")
    fold(bea)
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    ann.get_by_role("button", name="Rematch").click()
    expect(ann.get_by_text("Waiting for Bea to accept the rematch")).to_be_visible()
    expect(ann.get_by_role("button", name="Move here")).to_have_count(0)  # the free chair is kept for Bea
    expect(bea.get_by_text("Ann wants a rematch.")).to_be_visible()
    bea.reload()
    expect(bea.get_by_text("Ann wants a rematch.")).to_be_visible()
    bea.get_by_role("button", name="Accept").click()
    for page in (ann, bea):
        expect(page.get_by_role("heading", name="turn")).to_be_visible()
    bea.go_back()  # to the game that is over: there is nothing to accept any more
    for _ in range(2):
        expect(bea.get_by_role("button", name="Go to rematch")).to_be_visible()
        expect(bea.get_by_role("button", name="Decline")).to_have_count(0)
        expect(bea.get_by_text("wants a rematch")).to_have_count(0)
        bea.reload()
    bea.get_by_role("button", name="Go to rematch").click()
    expect(bea.get_by_role("heading", name="turn")).to_be_visible()
    bea.context.close()
    expect(seat_of(ann, "Bea")).to_contain_text("away")
    expect(seat_of(ann, "Ann")).not_to_contain_text("away")
    assert away(ann) == 0


def test_who_plays_again_against_a_bot_comes_to_the_next_table_once(people: Visitors, hall: PageHall) -> None:
    """A table that was left and opened again at once counted as left five seconds later."""
    page = person(people, "Ann")
    sent: list[dict[str, Any]] = []

    def listen(line: WebSocket) -> None:
        line.on("framesent", lambda frame: sent.append(json.loads(frame)))

    page.on("websocket", listen)
    before = win(people, hall, page).removeprefix("/t/")
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_role("heading", name="turn")).to_be_visible()
    next = page.url.rpartition("/")[2]
    assert next != before
    came = [message["do"] for message in sent if message.get("table") == next and "watch" in message["do"]]
    left = [message["table"] for message in sent if message["do"] == "unwatch"]
    assert (came, left) == (["watch"], [before])


SEES_THE_WAITING_ROOM = """() => {
    window.sawWaitingRoom = false;
    const look = () => (window.sawWaitingRoom ||= document.querySelector('#chairs-title') !== null);
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
}"""


@pytest.mark.proof
@pytest.mark.parametrize("game", ["tenthousand", "doordice"])
def test_a_rematch_against_bots_begins_without_a_look_at_the_waiting_room(
    people: Visitors, hall: PageHall, game: str
) -> None:
    page = person(people, "Ann")
    if game == "tenthousand":
        hall.script((1, 1, 1, 2, 3, 4))  # the bot begins, and banks them
        go(people, page, open_table(page, game, seats=2, bots=BOT, rules={"goal": 1000}))
    else:
        hall.script((1,))
        bots = [{"seat": seat, "level": "greedy"} for seat in range(1, 5)]
        go(people, page, open_table(page, game, drawn=False, bots=bots, rules={"rounds": 1}))
        press(page, "Roll")
    expect(page.get_by_text("Game over")).to_be_visible()
    page.evaluate(SEES_THE_WAITING_ROOM)
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_role("heading", name="turn")).to_be_visible()
    assert not page.evaluate("window.sawWaitingRoom")


@pytest.mark.proof
def test_who_plays_again_at_a_locked_table_sits_down_without_its_password(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann")
    hall.script((6,))
    go(people, page, open_table(page, "wards", seats=2, bots=BOT, rules={"goal": 5}, password="sesame"))
    press(page, "Roll")
    press(page, "Hold")
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_role("heading", name="turn")).to_be_visible()


@pytest.mark.proof
def test_a_rematch_that_was_closed_is_not_offered(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 5})
    hall.script((6,))
    press(ann, "Roll")
    press(ann, "Hold")
    ann.get_by_role("button", name="Rematch").click()
    expect(bea.get_by_text("Ann wants a rematch.")).to_be_visible()
    ann.get_by_role("button", name="Close table").click()
    expect(ann.get_by_text("This table is closed")).to_be_visible()
    bea.reload()
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
    assert bea.get_by_text("wants a rematch").count() == 0
    bea.get_by_role("button", name="Rematch").click()  # it can be asked for again
    expect(bea.get_by_text("Waiting for Ann to accept the rematch")).to_be_visible()
    assert bea.url != ann.url


@pytest.mark.proof
def test_who_asked_and_went_back_to_the_result_comes_along_when_the_other_accepts(
    people: Visitors, hall: PageHall
) -> None:
    """Both waited for each other: one at the game that was over, one at the next."""
    ann, bea = two(people, hall, "wards", rules={"goal": 5})
    hall.script((6,))
    press(ann, "Roll")
    press(ann, "Hold")
    ann.get_by_role("button", name="Rematch").click()
    expect(bea.get_by_text("Ann wants a rematch.")).to_be_visible()
    ann.go_back()
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    expect(ann.get_by_text("Waiting for Bea …")).to_be_visible()
    bea.get_by_role("button", name="Accept").click()
    for page in (ann, bea):
        expect(page.get_by_role("heading", name="turn")).to_be_visible()
    assert ann.url == bea.url


@pytest.mark.proof
def test_a_rematch_can_be_declined_and_spectators_follow_to_one_that_is_accepted(
    people: Visitors, hall: PageHall
) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 5})
    watching = people.page(ann.url.removeprefix(people.url))
    expect(watching.get_by_text("You’re watching")).to_be_visible()
    hall.script((6,))
    press(ann, "Roll")
    press(ann, "Hold")
    ann.get_by_role("button", name="Rematch").click()
    bea.get_by_role("button", name="Decline").click()
    expect(bea.get_by_text("You declined the rematch.")).to_be_visible()
    expect(ann.get_by_text("Bea declined the rematch. Invite somebody else")).to_be_visible()
    expect(watching.get_by_role("link", name="Watch the rematch")).to_be_visible()
    people.may_be_away = True
    hall.stop()
    hall.start()
    for page, told in ((ann, "Bea declined the rematch. Invite somebody else"), (bea, "You declined the rematch.")):
        page.reload()
        expect(page.get_by_text(told)).to_be_visible()
    bea.get_by_role("button", name="Accept after all").click()  # another thought
    for page in (bea, watching):
        expect(page.get_by_role("heading", name="turn")).to_be_visible()
        assert page.url == ann.url
