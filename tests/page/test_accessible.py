"""axe finds nothing wrong on any page, by day and at night, on a phone and on a desk; and no page scrolls sideways."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.tables import no_sideways

ADDRESSES = (
    "/",
    "/play/wards",
    "/dice-10-000",
    "/me",
    "/replay",
    "/leaders/all",
    "/challenge",
    "/leaders/mana",
    "/mana",
    "/sealed",
    "/sign-in",
    "/settings",
    "/offline",
    "/t/none",
)
GAMES = ("wards", "aetharn", "doordice", "tenthousand", "mana")
SIZES: dict[str, Any] = {"phone": PHONE, "desk": DESK}
Light = Literal["light", "dark"]

# Every day each page is looked at once, in turns; `make proof` looks at every page in every light and size.
LOOKS: list[tuple[Light, str]] = [("light", "phone"), ("dark", "desk"), ("dark", "phone"), ("light", "desk")]
IN_TURNS = [(address, *LOOKS[number % 4]) for number, address in enumerate(ADDRESSES)]
GAMES_IN_TURNS = [(game, *LOOKS[number % 4]) for number, game in enumerate(GAMES)]
ALL = [(address, light, size) for address in ADDRESSES for light, size in LOOKS]
ALL_GAMES = [(game, light, size) for game in GAMES for light, size in LOOKS]


def look_at(people: Visitors, address: str, light: Light, size: str) -> Page:
    page = people.page(address, "Ann", viewport=SIZES[size], color_scheme=light)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def look_at_table(people: Visitors, game: str, light: Light, size: str) -> Page:
    page = look_at(people, f"/play/{game}", light, size)
    page.get_by_role("button", name="Play against bots").click()
    expect(page.get_by_role("region", name="The board")).to_be_visible()
    return page


def check(page: Page) -> None:
    axe(page)
    no_sideways(page)


@pytest.mark.parametrize(("address", "light", "size"), IN_TURNS)
def test_a_page_is_accessible(people: Visitors, address: str, light: Light, size: str) -> None:
    check(look_at(people, address, light, size))


@pytest.mark.parametrize(("game", "light", "size"), GAMES_IN_TURNS)
def test_a_table_is_accessible(people: Visitors, game: str, light: Light, size: str) -> None:
    check(look_at_table(people, game, light, size))


@pytest.mark.proof
@pytest.mark.parametrize(("address", "light", "size"), ALL)
def test_every_page_is_accessible_in_every_light_and_size(
    people: Visitors, address: str, light: Light, size: str
) -> None:
    check(look_at(people, address, light, size))


@pytest.mark.proof
@pytest.mark.parametrize(("game", "light", "size"), ALL_GAMES)
def test_every_table_is_accessible_in_every_light_and_size(
    people: Visitors, game: str, light: Light, size: str
) -> None:
    check(look_at_table(people, game, light, size))
