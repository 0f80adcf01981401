"""A bot's turn can be followed: what it rolled, kept and decided, at a pace that one can choose."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.played import BOT
from tests.page.tables import go, open_table, person, press, stop_clock, told

CAPTIONS = """() => {
    window.captions = [];
    const note = () => {
        const text = document.querySelector('[aria-label="The board"] .caption')?.textContent ?? '';
        if (text && text !== window.captions.at(-1)) window.captions.push(text);
    };
    new MutationObserver(note).observe(document.body, {childList: true, characterData: true, subtree: true});
}"""


def captions(page: Page) -> list[str]:
    seen: list[str] = page.evaluate("window.captions")
    return seen


def bot(page: Page) -> str:
    """The name of the other seat."""
    name: str = page.evaluate(
        "fetch('/api/tables/' + location.pathname.split('/').at(-1)).then(a => a.json()).then(t => t.seats[1].name)"
    )
    return name.partition(" (")[0]


def against_bot(people: Visitors, hall: PageHall, game: str, speed: str) -> Page:
    page = person(people, "Ann", speed=speed)
    if game == "aetharn":
        hall.script((1,))
    go(people, page, open_table(page, game, seats=2, bots=BOT))
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    page.evaluate(CAPTIONS)
    return page


def test_each_step_of_a_bot_is_seen_on_the_felt_and_its_last_roll_stays(people: Visitors, hall: PageHall) -> None:
    page = against_bot(people, hall, "aetharn", "fast")
    hall.script((1, 2, 2, 3, 4, 6), (1, 1, 1, 5, 5, 5))
    press(page, "Roll")
    expect(page.get_by_role("button", name="Pick best (100)")).to_be_visible()
    page.keyboard.press("a")
    press(page, "Bank +100")
    expect(page.get_by_role("heading", name=f"{bot(page)}’s turn")).to_be_visible()
    expect(page.get_by_role("button", name="Roll 6 dice")).to_be_enabled()
    seen = captions(page)
    assert seen[0] == f"{bot(page)} rolls 1 1 1 5 5 5."
    assert seen[1].startswith(f"{bot(page)} keeps 1 1 1 5 5 5 for ")
    assert seen[-1].endswith(".")
    expect(page.get_by_role("img", name="Die 1: not rolled")).to_have_count(0)  # the last roll lies there


@pytest.mark.proof
def test_the_speed_is_a_setting_that_this_browser_keeps(people: Visitors, hall: PageHall) -> None:
    page = against_bot(people, hall, "wards", "slow")
    hall.script((4,), (5,), (6,))
    page.get_by_label("Bot speed").select_option("Instant")
    page.reload()
    expect(page.get_by_label("Bot speed")).to_have_value("instant")
    press(page, "Roll")
    press(page, "Hold +4")
    told(page, f"{bot(page)} rolls a 5.")


@pytest.mark.proof
def test_a_tab_that_was_hidden_has_caught_up_when_it_is_seen_again(people: Visitors, hall: PageHall) -> None:
    page = against_bot(people, hall, "wards", "slow")
    page.clock.install()
    page.reload()
    hall.script((4,), *([(2,)] * 6))
    press(page, "Roll")
    told(page, "Ann rolls a 4.")
    stop_clock(page)  # any pause would last for ever
    page.evaluate("""() => {
        Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
    }""")
    press(page, "Hold +4")
    told(page, f"{bot(page)} rolls a 2.")
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
