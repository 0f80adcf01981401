"""Nothing is told before the dice rest, and a bust is felt."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import Cable, Visitors, entered
from tests.page.fights import five
from tests.page.halls import PageHall
from tests.page.tables import choose, opened, post, press, stop_clock, told, two

MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
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

# In every frame while dice tumble: what the page says, is named or can be pressed now, and was not before the throw.
NEWS = """() => {
    const expected = /: rolling$|rolls? …$|’s turn|^Your turn|is playing\\.$|seconds left$|^[\\d:]+$/;
    [window.news, window.seen] = [new Set(), 0];
    const tumbling = () => document.getAnimations()
        .some(one => one.animationName?.includes('tumble') && one.playState === 'running');
    const said = () => new Set([
        document.title,
        ...document.body.innerText.split('\\n').map(line => line.trim()),
        ...[...document.querySelectorAll('[role=log] p')].map(line => line.textContent),
        ...[...document.querySelectorAll('[aria-label]')].map(one => one.ariaLabel),
        ...[...document.querySelectorAll('button:not(:disabled)')].map(one => 'press ' + one.textContent.trim()),
    ]);
    let before = said();
    const look = () => {
        const now = said();
        if (tumbling()) {
            window.seen += 1;
            for (const text of now) if (text && !before.has(text) && !expected.test(text)) window.news.add(text);
        } else before = now;
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""

# The dice of each look that the board had while it said that somebody had bust.
WATCH_BUSTS = """() => {
    window.busts = [];
    const note = () => {
        const board = document.querySelector('[aria-label="The board"]');
        if (!board?.textContent.includes('Bust!')) return;
        const dice = [...board.querySelectorAll('[aria-label="The dice"] [aria-label]')].map(die => die.ariaLabel);
        if (dice.join() !== window.busts.at(-1)?.join()) window.busts.push(dice);
    };
    const everything = {attributes: true, childList: true, characterData: true, subtree: true};
    new MutationObserver(note).observe(document.body, everything);
}"""
FOUR_LEFT = ["Die 1: 2", "Die 2: 3", "Die 3: 4", "Die 4: 6"]


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


def told_early(page: Page) -> list[str]:
    seen, news = page.evaluate("[window.seen, [...window.news]]")
    assert seen > 0, "the dice did not tumble"
    return list(news)


@pytest.mark.proof
@pytest.mark.parametrize("game", ["aetharn", "tenthousand"])
def test_nothing_new_is_told_to_anybody_while_six_dice_are_in_the_air(
    people: Visitors, hall: PageHall, game: str
) -> None:
    ann, bea = two(people, hall, game, {**MOVING, "speed": "fast"})
    watching = people.page(ann.url.removeprefix(people.url), speed="fast", **MOVING)
    expect(watching.get_by_role("region", name="The board")).to_be_visible()
    for page in (ann, bea, watching):
        page.evaluate(NEWS)
    hall.script((5, 5, 3, 2, 4, 6), (2, 3, 4, 6))
    press(ann, "Roll")
    choose(ann, 1, 2)
    press(ann, "Roll 4 dice")
    for page in (ann, bea, watching):
        told(page, "Ann busts")
        assert told_early(page) == []


@pytest.mark.proof
def test_nothing_new_is_told_to_anybody_while_the_die_of_a_fight_is_in_the_air(people: Visitors) -> None:
    ann, bea = five(people, {**MOVING, "speed": "fast"})
    watching = people.page(ann.url.removeprefix(people.url), speed="fast", **MOVING)
    expect(watching.get_by_role("region", name="The board")).to_be_visible()
    for page in (ann, bea, watching):
        page.evaluate(NEWS)
    press(ann, "Roll")
    for page in (ann, bea, watching):
        told(page, "Ann rolls a")
        assert told_early(page) == []


@pytest.mark.proof
def test_whoever_was_away_is_shown_every_roll_before_it_is_told(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "wards", {**MOVING, "speed": "fast"})
    cable = Cable().plug(bea)
    expect(bea.get_by_role("region", name="The board")).to_be_visible()
    bea.evaluate(NEWS)
    hall.script((4,), (5,), (1,))
    cable.cut()
    for face in (4, 5, 1):
        press(ann, "Roll")
        told(ann, f"Ann rolls a {face}")
    cable.mend()
    told(bea, "Ann rolls a 1 and busts.")
    assert told_early(bea) == []


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


@pytest.mark.parametrize("game", ["aetharn", "tenthousand"])
def test_the_roll_that_bust_stays_on_the_felt_until_the_next_one(people: Visitors, hall: PageHall, game: str) -> None:
    ann, bea = two(people, hall, game, {"speed": "normal"})
    for page in (ann, bea):
        page.evaluate(WATCH_BUSTS)
    hall.script((5, 5, 3, 2, 4, 6), (2, 3, 4, 6))
    press(ann, "Roll")
    choose(ann, 1, 2)
    press(ann, "Roll 4 dice")
    expect(bea.get_by_role("heading", name="Your turn")).to_be_visible()
    for page in (ann, bea):
        expect(page.get_by_text("Bust!")).to_be_hidden()
        assert page.evaluate("window.busts") == [FOUR_LEFT]
        expect(page.get_by_role("group", name="The dice").get_by_role("img")).to_have_count(4)
        expect(page.get_by_role("img", name="Die 4: 6")).to_be_visible()


def test_a_replay_shows_the_roll_that_bust_while_the_bust_is_felt(people: Visitors, hall: PageHall) -> None:
    page = people.page(f"/replay/{bust_and_fold(hall)}", speed="fast")
    page.evaluate(WATCH_DICE)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    assert page.evaluate("window.sizes") == [6, 4]  # once four dice are thrown, the six before them are gone


WATCH_DICE = """() => {
    window.sizes = [];
    const note = () => {
        const size = document.querySelectorAll('[aria-label="The dice"] [aria-label]').length;
        if (size && size !== window.sizes.at(-1)) window.sizes.push(size);
    };
    note();
    new MutationObserver(note).observe(document.body, {childList: true, subtree: true});
}"""


def bust_and_fold(hall: PageHall) -> str:
    """A game of Aetharn that nobody looks at: Ann busts, and Bea folds."""
    hall.script((1,))
    kept = [entered(hall.url, name) for name in ("Ann", "Bea")]
    table = opened(hall, "aetharn", seats=2).removeprefix("/t/")
    for one in kept:
        post(hall, f"/api/tables/{table}/sit", {}, one)
    post(hall, f"/api/tables/{table}/start", {}, kept[0])
    hall.script((5, 5, 3, 2, 4, 6), (2, 3, 4, 6))
    moves: list[tuple[int, Any]] = [(0, "roll"), (0, {"hold": [0, 1]}), (0, "roll"), (1, "fold")]
    for seat, move in moves:
        post(hall, f"/api/tables/{table}/act", {"move": move}, kept[seat])
    return table
