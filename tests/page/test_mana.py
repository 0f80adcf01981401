"""Mana on the page: picked in secret, turned over together, to the end; nothing leaks before that."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.ears import Ears
from tests.page.fights import BOOST, FIRE, HEAL, ICE, NONE, SHIELD, armies, board, duel, send
from tests.page.halls import PageHall
from tests.page.tables import go, no_sideways, open_table, person, seat_of, told

# Unit 1 strikes hard, 2 is an ordinary one, 3 hides behind a shield, 4 heals.
ARMY = armies((19, 5, 25, BOOST), (5, 5, 20, NONE), (5, 5, 20, SHIELD), (5, 5, 20, HEAL), leagues=(FIRE, FIRE))

SAME = armies((19, 5, 25, BOOST), (5, 5, 20, NONE), (5, 5, 20, SHIELD), (5, 5, 20, HEAL), leagues=(FIRE,))

# Whether the result was told when two cards were first seen; and what asked for a pick while they lay there.
TURNED = """() => {
    window.turned = [];
    window.asked = new Set();
    const note = () => {
        const arena = document.querySelector('.turned')?.closest('.arena');
        if (!arena) return;
        window.turned.push(arena.matches('.quiet') ? 'quiet' : 'told');
        const seen = document.title + document.body.innerText;
        for (const asked of ['Your turn', 'pick a unit']) if (seen.includes(asked)) window.asked.add(asked);
    };
    new MutationObserver(note).observe(document.body, {childList: true, attributes: true, subtree: true});
}"""


def listening(page: Page, heard: list[str]) -> None:
    """Everything the hall says to this page from its next load on."""

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    page.on("websocket", opened)


def test_a_match_is_played_to_its_end_by_two_people(people: Visitors, hall: PageHall) -> None:
    ann, bea = duel(people, hall, ARMY)
    ears = Ears.on(bea)
    for page in (ann, bea):  # both are on turn, and each sees their own face beside it
        faces = page.locator("header svg.avatar, .bar svg.avatar")
        expect(faces).to_have_count(2)
        assert faces.nth(0).inner_html() == faces.nth(1).inner_html()
    for number in (1, 2, 3):
        send(ann, 1)
        expect(board(ann).get_by_text("Hidden until both have picked")).to_be_visible()
        send(bea, 2)
        told(bea, f"wins round {number}")
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(board(bea).get_by_text("took 68 and fell")).to_be_visible()
    expect(board(bea).get_by_text("Ann wins the round")).to_be_visible()
    ears.hear_the_story_once()
    rounds = bea.get_by_role("region", name="Rounds").first
    expect(rounds.get_by_role("row")).to_have_count(4)


@pytest.mark.proof
def test_cards_are_seen_before_they_are_judged_and_the_last_fight_before_the_result(
    people: Visitors, hall: PageHall
) -> None:
    hall.script(SAME)
    page = person(people, "Ann", speed="fast", reduced_motion="no-preference", viewport=PHONE)
    bots = [{"seat": 1, "level": "greedy"}]
    go(people, page, open_table(page, "mana", seats=2, bots=bots, drawn=False, rules={"rounds": 1}))
    expect(board(page).get_by_text("has picked.")).to_be_visible()
    board(page).get_by_role("button", name="Your unit 3:").click()
    expect(board(page).get_by_text("Shield: takes no damage.")).to_be_visible()
    place = page.get_by_role("heading", name="Your army").bounding_box()
    page.evaluate(TURNED)
    board(page).get_by_role("button", name="Send unit 3").click()
    expect(board(page).get_by_text("the round").or_(board(page).get_by_text("It’s a tie"))).to_be_visible()
    assert page.get_by_role("heading", name="Game over").or_(page.locator("#end-title")).count() == 0
    assert page.get_by_role("heading", name="Your army").bounding_box() == place
    expect(page.locator("#end-title")).to_be_visible()
    assert page.evaluate("window.turned[0]") == "quiet"
    assert page.evaluate("[...window.asked]") == []  # it was the last round


# Whether the scoreboard counted a round whose cards were still being turned over.
COUNTED = """() => {
    window.early = new Set();
    new MutationObserver(() => {
        const counted = document.querySelector('.seats')?.innerText.includes('1 won');
        if (document.querySelector('.arena.quiet .turned')) window.early.add(counted);
    }).observe(document.body, {childList: true, attributes: true, characterData: true, subtree: true});
}"""


@pytest.mark.proof
def test_a_round_is_counted_beside_the_board_when_the_cards_have_been_seen(people: Visitors, hall: PageHall) -> None:
    ann, bea = duel(people, hall, ARMY, {"reduced_motion": "no-preference", "viewport": DESK})
    bea.evaluate(COUNTED)
    send(ann, 1)
    send(bea, 2)
    expect(seat_of(bea, "Ann")).to_contain_text("1 won")
    assert bea.evaluate("[...window.early]") == [False]


# What the page said of a round while its cards were still being turned over.
JUDGED = """() => {
    const telling = /wins the round|wins round|\\d dealt|[1-9] won|chance to win: 100/;
    [window.early, window.flips] = [new Set(), 0];
    const look = () => {
        if (document.getAnimations().some(one => one.animationName?.includes('flip') && one.playState === 'running')) {
            window.flips += 1;
            const live = document.querySelector('[role=log]')?.textContent ?? '';
            for (const line of (document.body.innerText + live).split('\\n'))
                if (telling.test(line)) window.early.add(line);
        }
        requestAnimationFrame(look);
    };
    look();
}"""


def judged_early(page: Page) -> list[str]:
    flips, early = page.evaluate("[window.flips, [...window.early]]")
    assert flips > 0, "no card was turned over"
    return list(early)


@pytest.mark.proof
def test_nothing_on_the_page_tells_a_round_before_its_cards_are_turned_over(people: Visitors, hall: PageHall) -> None:
    ann, bea = duel(people, hall, ARMY, {"reduced_motion": "no-preference", "viewport": DESK})
    watching = people.page(ann.url.removeprefix(people.url), reduced_motion="no-preference")
    expect(board(watching).get_by_text("picking in secret")).to_be_visible()
    for page in (ann, bea, watching):
        page.evaluate(JUDGED)
    send(ann, 1)
    send(bea, 2)
    for page in (ann, bea, watching):
        told(page, "Ann wins round 1")
        assert judged_early(page) == []


def test_a_replay_turns_cards_over_before_it_tells_who_won(people: Visitors, hall: PageHall) -> None:
    ann, bea = duel(people, hall, ARMY)
    for number in (1, 2, 3):
        send(ann, 1)
        send(bea, 2)
        told(ann, f"Ann wins round {number}")
    page = people.page(ann.url.removeprefix(people.url).replace("/t/", "/replay/"), reduced_motion="no-preference")
    expect(page.get_by_text("chance to win:")).to_be_visible()
    page.evaluate(JUDGED)
    for _ in range(2):
        page.get_by_role("button", name="Step forward").click()
    expect(board(page).get_by_text("Ann wins the round")).to_be_visible()
    told(page, "Ann wins round 1")
    assert judged_early(page) == []


@pytest.mark.proof
def test_a_unit_that_has_fought_is_greyed_out_and_cannot_be_picked_again(people: Visitors, hall: PageHall) -> None:
    """M15."""
    ann, bea = duel(people, hall, SAME)
    expect(board(ann).get_by_text("the same units")).to_have_count(1)
    expect(board(ann).get_by_text("+10 attack included")).to_have_count(2)
    send(ann, 3)
    send(bea, 1)
    expect(board(ann).get_by_role("img", name="Your unit 3, spent: it has fought")).to_be_visible()
    expect(board(ann).get_by_role("img", name="Bea’s unit 1, spent: it has fought")).to_be_visible()
    expect(board(ann).get_by_role("button", name="Your unit 3")).to_have_count(0)
    ann.keyboard.press("3")
    expect(board(ann).get_by_role("button", name="Send unit")).to_have_count(0)
    axe(ann)
    send(ann, 1)


def picks_in(told: Any) -> list[Any]:
    """Whatever a message says of picks, however deep; what Bea herself may choose from says nothing."""
    if isinstance(told, dict):
        mine = [value for key, value in told.items() if key in ("pick", "picks", "unit")]
        return mine + [found for key, value in told.items() if key != "choices" for found in picks_in(value)]
    return [found for value in told for found in picks_in(value)] if isinstance(told, list) else []


def told_to(heard: list[str]) -> list[Any]:
    return [picks for text in heard for picks in picks_in(json.loads(text)) if picks != [None, None]]


def test_a_hidden_pick_is_neither_on_the_other_page_nor_on_its_line(people: Visitors, hall: PageHall) -> None:
    ann, bea = duel(people, hall, ARMY)
    heard: list[str] = []
    listening(bea, heard)
    bea.reload()
    expect(board(bea).get_by_text("Ann is thinking")).to_be_visible()
    send(ann, 3)
    expect(board(bea).get_by_role("img", name="Ann has picked")).to_be_visible()
    bea.reload()  # what a page is told that comes later says no more
    expect(board(bea).get_by_role("img", name="Ann has picked")).to_be_visible()
    assert any('"Picked"' in text for text in heard), "the line was not heard"
    assert told_to(heard) == []
    assert board(bea).get_by_role("img", name="unit 3").count() == 1  # as it lies in Ann's army, like all of them
    send(bea, 1)
    expect(board(bea).get_by_role("img", name="Ann’s unit 3: ")).to_have_count(2)
    assert [2, 0] in told_to(heard), "a pick would have been seen"


@pytest.mark.proof
def test_keys_alone_pick(people: Visitors, hall: PageHall) -> None:
    ann, bea = duel(people, hall, ARMY)
    ann.keyboard.press("4")
    expect(board(ann).get_by_role("button", name="Your unit 4:")).to_have_attribute("aria-pressed", "true")
    ann.keyboard.press("s")
    told(bea, "Ann has picked a unit for round 1.")


@pytest.mark.proof
def test_on_a_desk_what_is_to_be_pressed_hides_no_unit_of_ones_own(people: Visitors, hall: PageHall) -> None:
    ann, bea = duel(people, hall, SAME, {"viewport": DESK})
    send(ann, 1)
    send(bea, 2)
    expect(board(ann).get_by_text("the round")).to_be_visible()
    ann.keyboard.press("4")
    sending = board(ann).get_by_role("button", name="Send unit 4").bounding_box()
    card = board(ann).get_by_role("button", name="Your unit 4:").bounding_box()
    assert sending is not None
    assert card is not None
    assert sending["y"] + sending["height"] <= card["y"]


LOOKS = [(PHONE, "dark"), (PHONE, "light"), (DESK, "light"), (DESK, "dark")]


@pytest.mark.proof
@pytest.mark.parametrize(("viewport", "light"), LOOKS)
def test_the_armies_and_a_fight_are_open_to_everybody(
    people: Visitors, hall: PageHall, viewport: dict[str, int], light: str
) -> None:
    more = {"viewport": viewport, "color_scheme": light}
    ann, bea = duel(people, hall, armies((19, 5, 25, BOOST), (5, 5, 20, HEAL), leagues=(FIRE, ICE)), more)
    send(ann, 1)
    axe(ann)
    send(bea, 2)
    expect(board(ann).get_by_text("the round")).to_be_visible()
    board(ann).get_by_role("button", name="Your unit 2:").click()
    axe(ann)
    no_sideways(ann)


def test_a_tie_is_called_a_tie_and_every_card_names_its_numbers_alike(people: Visitors, hall: PageHall) -> None:
    ann, bea = duel(people, hall, armies((10, 5, 40, NONE), leagues=(FIRE,)), {"viewport": PHONE})
    cards = board(ann).get_by_text("Atk", exact=True)
    expect(cards).to_have_count(16)  # eight of hers, and eight of the other side
    assert all(card.is_visible() for card in cards.all())
    send(ann, 1)
    send(bea, 1)
    expect(board(ann).get_by_text("It’s a tie")).to_be_visible()
    told(ann, "Round 1 is a tie.")
