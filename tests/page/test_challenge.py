"""The daily challenge in the browser: today's games on phone and desk, a result to share, and the ranking."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from dicehall.core.game import Faces
from dicehall.dice.challenge import DayDice
from dicehall.hall.challenge_days import DAY_MS, begins_at, opens_at
from tests.page.browsers import DESK, PHONE, Visitors, axe, visitors
from tests.page.halls import PageHall, ScriptedBox, page_hall
from tests.page.played import enter
from tests.page.tables import no_sideways, press, wait_until

DAY = "2026-11-17"  # on which the person begins at Dice Wards
DATE = "Nov 17, 2026"
PICTURES = os.environ.get("DICEHALL_PICTURES")


@dataclass(slots=True)
class SetClock:
    """Real time from a chosen moment on, which can be set forward."""

    ahead: int

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead

    def set(self, at: int) -> None:
        self.ahead += at - self.now()


class Sixes(DayDice):
    """A day on which every die of Dice Wards shows a six, so that a game takes one turn."""

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, None]:
        return tuple(min(6, n) for n in sides), None


class SixBox(ScriptedBox):
    def day_dice(self, secret: bytes) -> Any:
        return Sixes(secret)


@pytest.fixture
def clock() -> SetClock:
    clock = SetClock(0)
    clock.set(begins_at(DAY) - 3_600_000)
    return clock


@pytest.fixture
def hall(built: Path, tmp_path: Path, clock: SetClock) -> Iterator[PageHall]:
    with page_hall(tmp_path, built=built, clock=clock, box=SixBox()) as opened:
        yield opened


@pytest.fixture
def people(browser: Browser, hall: PageHall) -> Iterator[Visitors]:
    with visitors(browser, hall.url) as visiting:
        yield visiting


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


def check(page: Page, name: str) -> None:
    picture(page, name)
    axe(page)
    no_sideways(page)


def roll(page: Page, times: int, gained: int) -> None:
    """Roll so often, and wait until all of it is on the table."""
    for _ in range(times):
        press(page, "Roll")
    wait_until(
        page,
        """async wanted => {
            const found = await fetch('/api/tables/' + location.pathname.split('/').at(-1));
            return (await found.json()).view?.round_score === wanted;
        }""",
        gained,
    )


SHEET = """outcome => {
    window.sent = [];
    navigator.canShare = () => outcome !== 'none';
    navigator.share = async ({text}) => {
        window.sent.push(text);
        if (outcome === 'closed') throw new DOMException('', 'AbortError');
    };
    if (outcome === 'none') {  // as on a page without https
        Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true});
        document.execCommand = () => false;
    }
}"""


def share_by_the_phone(page: Page, result: str) -> None:
    """The share sheet gets the text; closing it copies nothing; without either the text is there to be copied."""
    share = page.get_by_role("button", name="Share result: Dice Wards")
    for outcome in ("shared", "closed"):
        page.evaluate(SHEET, outcome)
        share.click()
        page.wait_for_function("() => window.sent.length === 1")
        expect(share).to_have_attribute("aria-busy", "false")
        expect(page.get_by_text("Copied.")).to_have_count(0)
        assert page.evaluate("window.sent") == [result]
    page.evaluate(SHEET, "none")
    share.click()
    expect(page.get_by_text("Copy this text:")).to_be_visible()
    expect(page.get_by_label("Result", exact=True)).to_have_value(result)
    no_sideways(page)


def test_a_day_on_a_phone_from_the_lobby_to_the_ranking(people: Visitors, hall: PageHall, clock: SetClock) -> None:
    ann = people.page("/me", viewport=PHONE)
    enter(ann, "Ann", "/api/accounts")
    clock.set(begins_at(DAY) + 1000)
    ann.goto(people.url)
    picture(ann, "lobby-phone")
    ann.get_by_role("link", name="Daily challenge").click()
    expect(ann.get_by_role("heading", name="Daily challenge")).to_be_visible()
    expect(ann.get_by_text("Against 4 bots · level: Good")).to_be_visible()
    check(ann, "today-phone")
    ann.get_by_role("button", name="Play today’s challenge: Dice Wards").click()
    expect(ann.get_by_text("its dice are opened")).to_be_visible()
    expect(ann.get_by_text("does not match")).to_be_hidden()
    expect(ann.get_by_role("button", name="Share")).to_have_count(0)
    expect(ann.get_by_role("button", name="Show odds")).to_have_count(0)
    roll(ann, 1, 6)
    expect(ann.get_by_role("img", name="The die: 6")).to_be_visible()  # it lies there, although nobody can check it yet
    expect(ann.get_by_role("button", name="Envelope")).to_have_count(0)
    ann.goto(people.url + "/challenge")
    ann.get_by_role("button", name="Resume: Dice Wards").click()
    roll(ann, 16, 102)
    picture(ann, "playing-phone")
    press(ann, "Hold")
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    expect(ann.get_by_text("Ranked ")).to_be_visible()
    expect(ann.get_by_role("button", name="Analyse my game")).to_have_count(0)
    expect(ann.get_by_role("button", name="Check all rolls")).to_have_count(0)  # the dice are still sealed
    expect(ann.get_by_role("button", name="Play again")).to_have_count(0)
    check(ann, "over-phone")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.get_by_role("button", name="Share result: Dice Wards").click()
    expect(ann.get_by_text("Copied. Paste it into a message.")).to_be_visible()
    result = f"Dicehall daily challenge, {DATE}\nDice Wards: Won 102–0\n{people.url}/challenge"
    assert ann.evaluate("navigator.clipboard.readText()") == result
    ann.goto(people.url + "/challenge")
    expect(ann.get_by_role("link", name="Won 102–0")).to_be_visible()
    share_by_the_phone(ann, result)
    picture(ann, "played-phone")
    clock.set(opens_at(DAY) + 1000)
    ann.reload()
    expect(ann.get_by_role("combobox", name="Game")).to_have_value("wards")  # the game played last
    expect(ann.get_by_role("row", name="Ann Won")).to_be_visible()
    ann.evaluate(SHEET, "shared")
    ann.get_by_role("button", name="Share result: Dice Wards").click()
    ann.wait_for_function("() => window.sent.length === 1")
    assert ann.evaluate("window.sent[0]").startswith(f"Dicehall daily challenge, {DATE}\nDice Wards: #1 (Won")
    ann.get_by_text("Check this day’s dice").click()
    check(ann, "ranking-phone")
    ann.get_by_role("row", name="Ann Won").get_by_role("link", name="Won").click()
    for at in ("table", "replay"):
        ann.get_by_role("button", name="Check all rolls").click()
        # The dice of this test are scripted; one of them may fall as it was sealed by chance, all of them do not.
        expect(ann.get_by_text(re.compile(r"Roll \d+ is not the one that was sealed"))).to_be_visible()
        if at == "table":
            ann.get_by_role("link", name="Watch replay").click()
    ann.get_by_role("button", name="Step forward").click()
    expect(ann.get_by_role("img", name="The die: 6")).to_be_visible()


def test_a_page_that_is_left_open_at_midnight_shows_the_games_of_the_next_day(
    people: Visitors, clock: SetClock
) -> None:
    clock.set(begins_at(DAY) + DAY_MS - 4000)
    page = people.page("/challenge")
    expect(page.get_by_role("heading", name="November 17")).to_be_visible()
    expect(page.get_by_role("heading", name="November 18")).to_be_visible()


def test_a_game_begun_before_midnight_is_resumed_after_it_and_starts_none_of_the_new_day(
    people: Visitors, clock: SetClock
) -> None:
    clock.set(begins_at(DAY) + DAY_MS - 60_000)
    ann = people.page("/challenge")
    ann.get_by_role("button", name="Play today’s challenge: Dice Wards").click()
    expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()
    begun = ann.url
    ann.goto(people.url + "/challenge")
    expect(ann.get_by_role("button", name="Resume: Dice Wards")).to_be_visible()
    clock.set(begins_at(DAY) + DAY_MS + 60_000)
    ann.get_by_role("button", name="Resume: Dice Wards").click()
    expect(ann).to_have_url(begun)
    expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()
    ann.goto(people.url + "/challenge")
    expect(ann.get_by_role("button", name="Play today’s challenge: Dice Wards")).to_be_visible()


def test_the_challenge_on_a_desk_in_german_for_somebody_without_an_account(people: Visitors, clock: SetClock) -> None:
    clock.set(begins_at(DAY) + DAY_MS // 2)
    page = people.page("/challenge", viewport=DESK, locale="de-DE", color_scheme="dark")
    expect(page.get_by_role("heading", name="Tägliche Aufgabe")).to_be_visible()
    expect(page.get_by_text("Gegen 1 Bot · Stufe: ")).to_have_count(4)
    page.get_by_text("Das Siegel von heute").click()
    check(page, "today-desk-german")
    page.get_by_role("combobox", name="Zeigen").select_option("guests")
    expect(page.get_by_text("Niemand hat diese Aufgabe zu Ende gespielt.")).to_be_visible()
    page.get_by_role("button", name="Vorheriger Tag").click()
    page.get_by_role("button", name="Heutige Aufgabe spielen: Dice Wards").click()
    expect(page.get_by_role("button", name="Würfeln")).to_be_visible()
    expect(page.get_by_role("heading", name="Tägliche Aufgabe", exact=True)).to_be_visible()
    expect(page.get_by_text("Tägliche Aufgabe: Die Würfel werden am ")).to_contain_text(" Uhr geöffnet")
    picture(page, "playing-desk")
    page.get_by_role("link", name="Dicehall", exact=True).click()
    expect(page.get_by_role("link", name="Tägliche Aufgabe Dice Wards")).to_be_visible()
