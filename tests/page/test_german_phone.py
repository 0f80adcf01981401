"""Long German words on a narrow phone: nothing is broken into letters, squeezed to an arrow, or hangs over its card."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.browsers import DESK, Visitors
from tests.page.fights import NONE, armies, duel
from tests.page.halls import PageHall
from tests.page.played import BOT, enter, win_rated
from tests.page.tables import go, no_sideways, open_table, person

GERMAN_PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "locale": "de-DE"}
OVERHANGING = """() => [...document.querySelectorAll('.mini .unit')].flatMap(card =>
    [...card.querySelectorAll('.stats > span')].filter(line => {
        const [first, last] = [line.firstElementChild, line.lastElementChild].map(one => one.getBoundingClientRect());
        const edge = card.getBoundingClientRect();
        return first.left < edge.left || last.right > edge.right;
    }).map(line => line.textContent))"""


@pytest.mark.proof
def test_a_name_in_a_leaderboard_is_not_broken_into_letters(people: Visitors, hall: PageHall) -> None:
    ann = people.page("/me", **GERMAN_PHONE)
    enter(ann, "Ann Rowan", "/api/accounts")
    win_rated(hall, ann)
    go(people, ann, "/leaders/all")
    name = ann.get_by_role("row").get_by_role("link", name="Ann Rowan")
    expect(name).to_be_visible()
    box = name.bounding_box()
    assert box is not None
    assert box["width"] > 50
    table, card = ann.get_by_role("table").bounding_box(), ann.get_by_role("region").bounding_box()
    assert table is not None
    assert card is not None
    assert table["x"] + table["width"] <= card["x"] + card["width"]
    no_sideways(ann)


def test_the_level_of_a_bot_can_be_read_beside_its_button(people: Visitors, hall: PageHall) -> None:
    ann = person(people, "Ann", **GERMAN_PHONE)
    go(people, ann, open_table(ann, "aetharn", seats=3))
    level = ann.get_by_role("combobox").last
    expect(level).to_be_visible()
    box = level.bounding_box()
    assert box is not None
    assert box["width"] > 90
    no_sideways(ann)


def test_the_numbers_of_the_other_army_stay_on_their_cards(people: Visitors, hall: PageHall) -> None:
    ann = person(people, "Ann", **GERMAN_PHONE)
    go(people, ann, open_table(ann, "mana", seats=2, bots=BOT))
    expect(ann.locator(".mini .unit").first).to_be_visible()
    assert ann.evaluate(OVERHANGING) == []


# The lists whose choice is wider than the room beside their arrow.
CUT = """() => [...document.querySelectorAll('main select')].filter(select => {
    const style = getComputedStyle(select), pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return pen.measureText(select.selectedOptions[0].text).width > room;
}).map(select => select.selectedOptions[0].text)"""


@pytest.mark.proof
@pytest.mark.parametrize("size", [GERMAN_PHONE["viewport"], DESK], ids=["phone", "desk"])
def test_what_a_list_is_set_to_is_read_whole(people: Visitors, hall: PageHall, size: dict[str, int]) -> None:
    ann = people.page("/me", viewport=size, locale="de-DE")
    enter(ann, "Ann Rowan", "/api/accounts")
    win_rated(hall, ann)
    for path in ("/leaders/wards", "/me"):
        go(people, ann, path)
        expect(ann.get_by_role("combobox").first).to_be_visible()
        assert ann.evaluate(CUT) == []


def test_whose_army_it_is_is_read_beside_its_score(people: Visitors, hall: PageHall) -> None:
    ann, _ = duel(people, hall, armies((5, 5, 20, NONE)))
    watching = people.page(ann.url.removeprefix(people.url), **GERMAN_PHONE)
    title = watching.get_by_role("heading", name="Armee von Bea")
    assert title.evaluate("title => title.scrollWidth <= title.clientWidth")


def test_a_short_page_does_not_scroll_when_its_foot_has_two_lines(people: Visitors) -> None:
    page = people.page("/replay", **GERMAN_PHONE)
    expect(page.get_by_role("contentinfo")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
