"""Every game, played to its end on a desk and on a phone: at each decision all that can be pressed is on the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors, entered
from tests.page.halls import PageHall
from tests.page.tables import go, open_table, opened, person, post

SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 800}}
SHORT = {
    "wards": {"goal": 20},
    "aetharn": {"goal": 800},
    "tenthousand": {"goal": 1000, "opening": 300},
    "doordice": {"rounds": 2},
    "mana": {"rounds": 3},
}
ASKED = ("aetharn", "tenthousand")  # games that somebody has to start
BOTS_MS = 120_000  # the turns of five bots take 20 s where a machine is busy
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
# The edges of the board now and at the first decision, where they differ.
MOVED = """() => {
    const board = document.querySelector('[aria-label="The board"]');
    if (board === null) return [];  // the game has just ended
    const {top, bottom} = board.getBoundingClientRect();
    window.edges ??= [top, bottom];
    return [top, bottom].some((edge, i) => Math.abs(edge - window.edges[i]) > 1) ? [window.edges, [top, bottom]] : [];
}"""
# A press was answered when no button waits for the hall any more; one on the page alone needs a frame.
ANSWERED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
    () => done(document.querySelector('[aria-label="The board"] [aria-busy=true]') === null))))"""
PRESS = """() => {
    const board = document.querySelector('[aria-label="The board"]');
    const open = [...(board?.querySelectorAll('button:not(:disabled)') ?? [])].filter(one => one.checkVisibility());
    const named = pattern => open.find(button => pattern.test(button.ariaLabel ?? button.textContent.trim()));
    const next = named(/^Send unit/) ?? named(/^Bank/) ?? named(/^Pick best/) ?? named(/^Your unit/)
        ?? open.find(button => button.matches('.can')) ?? named(/^Hold ?\\+(1\\d|[5-9])/) ?? named(/^Roll/)
        ?? named(/HP|VP/) ?? named(/^Hold/);
    next?.click();
    return next?.ariaLabel ?? next?.textContent.trim();
}"""


def play_to_the_end(people: Visitors, hall: PageHall, game: str, size: str, *, guided: bool = False) -> Page:
    page = person(people, "Ann", viewport=SIZES[size], guided=guided)
    least = 5 if game == "doordice" else 2
    bots = [{"seat": seat, "level": "greedy"} for seat in range(1, least)]
    go(people, page, open_table(page, game, seats=least, bots=bots, rules=SHORT[game]))
    if guided:
        begin = page.get_by_role("button", name="Let’s play")
        expect(begin).to_be_in_viewport(ratio=1)
        begin.click()
    play(page)
    return page


def play(page: Page) -> None:
    for _ in range(200):
        page.wait_for_function(f"() => ({HIDDEN})() !== null", timeout=BOTS_MS)
        if page.locator("#end-title").count():
            break
        decide(page)


def decide(page: Page) -> bool:
    """Press something; everything that can be pressed is on the screen. False where there is nothing to decide."""
    hidden = page.evaluate(HIDDEN)
    if hidden is None or page.locator("#end-title").count():  # a bot was quicker
        return False
    assert hidden == [], f"not on the screen: {hidden}"
    assert page.evaluate("scrollY") == 0
    assert page.evaluate(MOVED) == [], "the board moved since the first decision"
    page.evaluate(PRESS)
    page.wait_for_function(ANSWERED)
    return True


def play_together(pages: list[Page]) -> None:
    """Everybody decides whenever there is something to decide, until all have seen the end."""
    for _ in range(2000):
        ended = [page.locator("#end-title").count() for page in pages]
        if all(ended):
            return
        decided = [decide(page) for page in pages]
        if not any(decided):
            pages[0].wait_for_function(ANSWERED)
    raise AssertionError("the game did not end")


def is_seen_at_its_end(page: Page) -> None:
    expect(page.locator("#end-title")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="New game")).to_be_in_viewport(ratio=1)


@pytest.mark.proof
def test_mana_is_played_on_a_phone_without_scrolling(people: Visitors, hall: PageHall) -> None:
    is_seen_at_its_end(play_to_the_end(people, hall, "mana", "phone"))


def seated_at(people: Visitors, hall: PageHall, game: str, size: str, seats: int) -> list[Page]:
    """People at a table whose game has begun, each with a browser of this size."""
    path = opened(hall, game, seats=seats, rules=SHORT[game])
    kept = [entered(hall.url, f"Player {number}") for number in range(seats)]
    for one in kept:
        post(hall, f"/api/tables/{path.removeprefix('/t/')}/sit", {}, one)
    if game in ASKED:
        post(hall, f"/api/tables/{path.removeprefix('/t/')}/start", {}, kept[0])
    return [people.page(path, storage_state=one, viewport=SIZES[size]) for one in kept]


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", SHORT)
def test_people_play_every_game_with_each_other_without_scrolling(
    people: Visitors, hall: PageHall, game: str, size: str
) -> None:
    pages = seated_at(people, hall, game, size, 5 if game == "doordice" else 2)
    play_together(pages)
    for page in pages:
        is_seen_at_its_end(page)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["aetharn", "tenthousand"])
def test_a_full_table_is_played_without_scrolling(people: Visitors, hall: PageHall, game: str, size: str) -> None:
    page = person(people, "Ann", viewport=SIZES[size])
    bots = [{"seat": seat, "level": "greedy"} for seat in range(1, 6)]
    go(people, page, open_table(page, game, seats=6, bots=bots, rules=SHORT[game]))
    play(page)
    is_seen_at_its_end(page)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", SHORT)
def test_the_first_game_of_each_kind_is_played_without_scrolling(
    people: Visitors, hall: PageHall, game: str, size: str
) -> None:
    is_seen_at_its_end(play_to_the_end(people, hall, game, size, guided=True))


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", SHORT)
def test_every_game_is_played_without_scrolling(people: Visitors, hall: PageHall, game: str, size: str) -> None:
    is_seen_at_its_end(play_to_the_end(people, hall, game, size))
