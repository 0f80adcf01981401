"""The sample tavern in a real browser: chairs, windows, patrons, watching, leaving and coming back."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.launch.running import COMMAND, environment
from tests.page.browsers import DESK, PHONE, Visitors, axe, visitors
from tests.page.tables import no_sideways
from tests.page.taverns import RunningTavern, running_tavern

LONG_MS = 60_000
CELL = "#aetharn .nui-cell:not(.nui-off)"
ACTS = ", ".join(
    f"{CELL}{one}"
    for one in ("[data-nui-id=bank] > button", "[data-nui-id^=tick] input:not(:checked)", "[data-nui-id=roll] > button")
)


@pytest.fixture
def tavern() -> Iterator[RunningTavern]:
    with running_tavern(goal=600) as opened:
        yield opened


@pytest.fixture
def calm_people(browser: Browser) -> Iterator[Visitors]:
    """Visitors of a tavern where a game takes a while."""
    with running_tavern(pause_s=0.5) as tavern, visitors(browser, tavern.url) as visiting:
        yield visiting


@pytest.fixture
def brisk_people(browser: Browser) -> Iterator[Visitors]:
    """Visitors of a tavern where a game is short, but not over before a page has looked."""
    with running_tavern(goal=600, pause_s=0.2) as tavern, visitors(browser, tavern.url) as visiting:
        yield visiting


@pytest.fixture
def people(browser: Browser, tavern: RunningTavern) -> Iterator[Visitors]:
    with visitors(browser, tavern.url) as visiting:
        yield visiting


def chair(page: Page, table: int, number: int) -> None:
    page.get_by_role("button", name=re.compile(rf"Chair {number}, Table #{table},")).click()


def sit_down(page: Page, table: int = 1, number: int = 2) -> None:
    """Take a chair, and wait for the patrons."""
    chair(page, table, number)
    expect(page.locator("#aetharn .nui-title")).to_have_text(f"Aetharn - Table #{table}")
    expect(page.locator("#aetharn [data-nui-id=start] button")).to_have_attribute("aria-disabled", "false")


def start(page: Page) -> None:
    page.locator("#aetharn").get_by_role("button", name="START").click()
    expect(page.locator("#aetharn [data-nui-id=start]")).to_be_hidden()


def take_turns(page: Page) -> None:
    """Play whatever the window allows until the game is over: hold all dice that score, then bank."""
    over = page.locator("#aetharn").get_by_role("button", name="NEW GAME")
    acts = page.locator(ACTS)
    for _ in range(400):
        expect(over.or_(acts).first).to_be_attached(timeout=LONG_MS)
        if over.is_visible():
            return
        take_step(page)
    raise AssertionError("the game did not end")


def take_step(page: Page) -> None:
    """Press the first thing that makes sense, and wait for what the bridge says to it."""
    page.evaluate("(acts) => acts.map((act) => document.querySelector(act)).find(Boolean)?.click()", ACTS.split(", "))
    expect(page.locator("body")).to_have_attribute("data-pending", "0")


def test_a_visitor_sits_down_patrons_join_and_the_game_starts(calm_people: Visitors) -> None:
    page = calm_people.page("/")
    sit_down(page)
    expect(page.get_by_role("button", name="Chair 2, Table #1, your chair")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Table #1, taken by"))).to_have_count(3)
    start(page)
    expect(page.locator("#aetharn")).to_contain_text("Current turn:")
    axe(page)


def test_a_game_is_played_to_its_end_and_another_one_begins(brisk_people: Visitors) -> None:
    page = brisk_people.page("/")
    sit_down(page, table=2, number=3)
    start(page)
    take_turns(page)
    expect(page.locator("#aetharn")).to_contain_text("wins!")
    expect(page.get_by_role("log")).to_contain_text("wins")
    page.locator("#aetharn").get_by_role("button", name="NEW GAME").click()
    start(page)
    expect(page.locator("#aetharn")).to_contain_text("Current turn:")


@pytest.mark.proof
def test_a_watcher_sees_the_patrons_play_and_can_do_nothing(people: Visitors) -> None:
    page = people.page("/")
    page.get_by_role("button", name="Watch Table #1 from O1").click()
    window = page.locator("#aetharnwatch")
    expect(window).to_contain_text("wins!", timeout=LONG_MS)
    assert window.locator("button:not(.nui-close), input").count() == 0
    page.get_by_role("button", name="Stop watching").click()
    expect(window.locator(".nui-window")).to_have_count(0)


@pytest.mark.proof
def test_leaving_the_chair_starts_the_grace_and_another_chair_ends_it(calm_people: Visitors) -> None:
    page = calm_people.page("/")
    sit_down(page)
    start(page)
    page.get_by_role("button", name="Stand up").click()
    expect(page.locator("#aetharn")).to_contain_text(re.compile(r"Sit down again within \d+ s"))
    axe(page)
    chair(page, 1, 6)
    expect(page.get_by_role("button", name="Chair 6, Table #1, your chair")).to_be_visible()
    expect(page.locator("#aetharn")).not_to_contain_text("Sit down again within")


@pytest.mark.proof
def test_the_patrons_leave_with_the_visitor_and_a_taken_chair_is_refused_with_a_sentence(calm_people: Visitors) -> None:
    page = calm_people.page("/")
    sit_down(page)
    page.get_by_role("button", name=re.compile("taken by")).first.click()
    expect(page.get_by_role("log")).to_contain_text("That seat is taken by")
    page.get_by_role("button", name="Stand up").click()
    expect(page.locator("#aetharn .nui-window")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("Table #1, free"))).to_have_count(6)


@pytest.mark.proof
def test_closing_the_window_changes_nothing_and_the_chair_opens_it_again(people: Visitors) -> None:
    page = people.page("/")
    sit_down(page)
    page.get_by_role("button", name="Close the window").click()
    expect(page.locator("#aetharn .nui-window")).to_have_count(0)
    chair(page, 1, 2)
    expect(page.locator("#aetharn .nui-title")).to_have_text("Aetharn - Table #1")


@pytest.mark.proof
def test_a_reload_leaves_the_chair_and_says_how_to_go_on(calm_people: Visitors) -> None:
    page = calm_people.page("/")
    sit_down(page)
    start(page)
    page.reload()
    expect(page.locator("#hint")).to_contain_text("You left Table #1")
    chair(page, 1, 2)
    expect(page.locator("#aetharn")).to_contain_text("Current turn:")


@pytest.mark.proof
def test_the_tavern_can_be_played_with_the_keyboard(people: Visitors) -> None:
    page = people.page("/")
    page.get_by_role("button", name="Chair 2, Table #1, free").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#aetharn [data-nui-id=start] button")).to_have_attribute("aria-disabled", "false")
    page.locator("#aetharn [data-nui-id=start] button").focus()
    page.keyboard.press("Space")
    expect(page.locator("#aetharn [data-nui-id=start]")).to_be_hidden()


LOOKS = [(PHONE, "dark"), (DESK, "light"), (PHONE, "light"), (DESK, "dark")]


def look_closely(people: Visitors, size: dict[str, int], light: str) -> None:
    page = people.page("/", viewport=size, color_scheme=light)
    expect(page.get_by_role("button", name="Chair 2, Table #1, free")).to_be_visible()
    axe(page)
    sit_down(page)
    axe(page)
    no_sideways(page)


@pytest.mark.proof
def test_the_tavern_is_accessible(people: Visitors) -> None:
    look_closely(people, *LOOKS[0])


@pytest.mark.proof
@pytest.mark.parametrize(("size", "light"), LOOKS[1:])
def test_the_tavern_is_accessible_in_every_light_and_size(people: Visitors, size: dict[str, int], light: str) -> None:
    look_closely(people, size, light)


@pytest.mark.proof
def test_the_command_itself_is_played_to_its_end(browser: Browser) -> None:
    """5000 points, as a process of its own."""
    command = [*COMMAND, "venue", "demo", "--port", "0", "--no-open", "--fast"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as demo:
        try:
            assert demo.stdout is not None
            found = re.search(r"http://\S+:\d+", demo.stdout.readline())
            assert found is not None
            with visitors(browser, found[0]) as people:
                page = people.page("/")
                sit_down(page)
                start(page)
                take_turns(page)
                expect(page.get_by_role("log")).to_contain_text("wins!")
        finally:
            demo.kill()
