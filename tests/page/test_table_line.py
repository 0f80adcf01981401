"""Lines that break at a table, a hall that restarts, and a second tab: nothing is lost."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import press, told, two


def test_who_was_away_sees_on_return_what_happened_meanwhile(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards")
    people.may_be_away = True
    hall.script((5,), (4,))
    path = bea.url.removeprefix(people.url)
    bea.goto(people.url + "/sealed")
    press(ann, "Roll")
    press(ann, "Roll")
    press(ann, "Hold")
    bea.goto(people.url + path)
    expect(bea.get_by_role("heading", name="Your turn")).to_be_visible()
    told(bea, "Ann holds 9 and has 9.")


def test_a_game_goes_on_over_a_restart_of_the_hall_without_a_reload(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", rules={"goal": 9})
    people.may_be_away = True
    hall.script((5,))
    press(ann, "Roll")
    told(bea, "Ann rolls a 5.")
    ann.evaluate("window.sameWindow = true")
    hall.stop()
    expect(ann.get_by_text("The line to the hall is lost.")).to_be_visible()
    hall.script((4,))
    hall.start()
    expect(ann.get_by_text("The line to the hall is lost.")).to_be_hidden()
    press(ann, "Roll")
    press(ann, "Hold")
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
    assert ann.evaluate("window.sameWindow")


def test_a_second_tab_takes_over_and_the_first_can_take_back(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards")
    second = people.tab(ann.context, ann.url.removeprefix(people.url))
    expect(ann.get_by_text("You play in another window now")).to_be_visible()
    hall.script((5,), (6,))
    press(second, "Roll")
    told(bea, "Ann rolls a 5.")
    ann.get_by_role("button", name="Play here instead").click()
    expect(ann.get_by_text("You play in another window now")).to_be_hidden()
    expect(second.get_by_text("You play in another window now")).to_be_visible()
    press(ann, "Roll")
    told(bea, "Ann rolls a 6.")


def test_a_bot_plays_for_who_wants_it_until_they_take_back_their_seat(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "tenthousand")
    bea.get_by_role("button", name="Leave").click()
    bea.get_by_role("button", name="Let a bot play for me").click()
    expect(ann.get_by_text("a bot stands in")).to_be_visible()
    bea.get_by_role("button", name="Take back my seat").click()
    expect(ann.get_by_text("a bot stands in")).to_be_hidden()
    told(ann, "Bea is back and takes over from the bot.")
