"""Every game, played to its end on a desk and on a phone: at each decision all that can be pressed is on the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import go, open_table, person

SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 800}}
SHORT = {
    "wards": {"goal": 20},
    "aetharn": {"goal": 800},
    "tenthousand": {"goal": 1000, "opening": 300},
    "doordice": {"rounds": 2},
    "mana": {"rounds": 3},
}
# What can be pressed on the board and is not wholly seen; null while there is nothing to decide.
HIDDEN = """() => {
    const board = document.querySelector('[aria-label="The board"]');
    if (document.querySelector('#end-title')) return [];
    const open = [...(board?.querySelectorAll('button:not(:disabled):not(.faint)') ?? [])]
        .filter(button => button.checkVisibility() && !button.matches('.envelope'));
    const may = open.some(button => /^(Roll|Hold|Bank|Send|Die|strike|jab|rob|hammer|Pick|Your unit)/i
        .test(button.ariaLabel ?? button.textContent.trim()) || button.matches('.can, .main'));
    if (!may) return null;
    const seen = button => {
        const box = button.getBoundingClientRect();
        const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth
            && (at === button || button.contains(at));
    };
    return open.filter(button => !seen(button)).map(button => button.ariaLabel ?? button.textContent.trim());
}"""
# A press was answered when no button waits for the hall any more; one on the page alone needs a frame.
ANSWERED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
    () => done(document.querySelector('[aria-label="The board"] [aria-busy=true]') === null))))"""
PRESS = """() => {
    const board = document.querySelector('[aria-label="The board"]');
    const open = [...board.querySelectorAll('button:not(:disabled)')].filter(button => button.checkVisibility());
    const named = pattern => open.find(button => pattern.test(button.ariaLabel ?? button.textContent.trim()));
    const next = named(/^Send unit/) ?? named(/^Bank/) ?? named(/^Pick best/) ?? named(/^Your unit/)
        ?? open.find(button => button.matches('.can')) ?? named(/^Hold \\+(1\\d|[5-9])/) ?? named(/^Roll/)
        ?? named(/HP|VP/) ?? named(/^Hold/);
    next?.click();
    return next?.ariaLabel ?? next?.textContent.trim();
}"""


def play_to_the_end(people: Visitors, hall: PageHall, game: str, size: str) -> Page:
    page = person(people, "Ann", viewport=SIZES[size])
    least = 5 if game == "doordice" else 2
    bots = [{"seat": seat, "level": "greedy"} for seat in range(1, least)]
    go(people, page, open_table(page, game, seats=least, bots=bots, rules=SHORT[game]))
    for _ in range(200):
        page.wait_for_function(f"() => ({HIDDEN})() !== null")
        if page.locator("#end-title").count():
            break
        hidden = page.evaluate(HIDDEN)
        if hidden is None:  # a bot was quicker
            continue
        assert hidden == [], f"not on the screen: {hidden}"
        assert page.evaluate("scrollY") == 0
        page.evaluate(PRESS)
        page.wait_for_function(ANSWERED)
    return page


def is_seen_at_its_end(page: Page) -> None:
    expect(page.locator("#end-title")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="New game")).to_be_in_viewport(ratio=1)


def test_mana_is_played_on_a_phone_without_scrolling(people: Visitors, hall: PageHall) -> None:
    is_seen_at_its_end(play_to_the_end(people, hall, "mana", "phone"))


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", SHORT)
def test_every_game_is_played_without_scrolling(people: Visitors, hall: PageHall, game: str, size: str) -> None:
    is_seen_at_its_end(play_to_the_end(people, hall, game, size))
