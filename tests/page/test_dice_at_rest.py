"""Nothing is told before the dice rest, and a bust is felt."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import press, stop_clock, told, two

MOVING = {"reduced_motion": "no-preference"}
# Every 20 ms while dice tumble: what the page says of the roll already, and whether anything can be pressed.
WATCH = """() => {
    window.leaks = [];
    window.seen = 0;
    const tumbling = () => document.getAnimations()
        .some(one => one.animationName?.includes('tumble') && one.playState === 'running');
    const look = () => {
        if (!tumbling()) return;
        window.seen += 1;
        const board = document.querySelector('[aria-label="The board"]');
        const log = document.querySelector('[aria-label="Game log, newest first"]').textContent;
        const live = document.querySelector('[role=log]').textContent;
        const names = [...board.querySelectorAll('[aria-label^="The die"]')].map(die => die.ariaLabel);
        const open = [...board.querySelectorAll('button:not(:disabled)')].map(button => button.textContent.trim());
        if (/rolls a|busts/.test(log + live)) window.leaks.push(log + live);
        if (board.textContent.includes('Bust!')) window.leaks.push('bust');
        if (names.some(name => /[1-6]/.test(name))) window.leaks.push(...names);
        window.leaks.push(...open);
    };
    setInterval(look, 20);
}"""


def leaks(page: Page) -> list[str]:
    seen, found = page.evaluate("[window.seen, window.leaks]")
    assert seen > 0, "the dice did not tumble"
    return list(found)


def test_numbers_log_buttons_and_live_region_wait_until_the_dice_lie_still(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", MOVING)
    for page in (ann, bea):
        page.evaluate(WATCH)
    hall.script((1,))
    press(ann, "Roll")
    for page in (ann, bea):
        told(page, "Ann rolls a 1 and busts.")
        assert leaks(page) == []


def test_a_bust_shows_the_lost_points_in_red_and_play_goes_on_after_a_pause(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", {"speed": "normal"})
    bea.clock.install()
    bea.reload()
    hall.script((6,), (1,))
    press(ann, "Roll")
    told(bea, "Ann rolls a 6.")
    stop_clock(bea)
    bea.clock.run_for(1_100)  # the pause after that roll
    press(ann, "Roll")
    for page in (ann, bea):
        board = page.get_by_role("region", name="The board")
        expect(board.get_by_text("−6", exact=True)).to_be_visible()
        expect(board.locator("xpath=self::*[contains(@class, 'bust')]")).to_have_count(1)
    roll = bea.get_by_role("region", name="The board").get_by_role("button", name="Roll")
    bea.clock.run_for(1_490)
    expect(roll).to_be_disabled()
    bea.clock.run_for(20)
    expect(roll).to_be_enabled()
