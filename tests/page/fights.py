"""How people come to a table of DO or DICE or Mana in these tests, and what they press there."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors, entered
from tests.page.halls import PageHall
from tests.page.tables import go, open_table, person, post, press, sit

Unit = tuple[int, int, int, int]  # the four bytes of M2: attack, defense, health, special
NONE, BOOST, SHIELD, HEAL = 0, 1, 2, 3
FIRE, ICE, SHADOW, NATURE = 0, 1, 2, 3


def board(page: Page) -> Any:
    return page.get_by_role("region", name="The board")


def five(people: Visitors, more: dict[str, Any] | None = None, **rules: int) -> list[Page]:
    """Ann, Bea and three bots in this order; the game has begun. The two sat down without a browser."""
    kept = [entered(people.url, name) for name in ("Ann", "Bea")]
    table = post(people, "/api/tables", {"game": "doordice", "visibility": "link", **with_bots(rules)}, kept[0])["id"]
    for one in kept:
        post(people, f"/api/tables/{table}/sit", {}, one)
    here = [people.page(f"/t/{table}", storage_state=one, **(more or {})) for one in kept]
    expect(board(here[0]).get_by_role("button", name="Roll")).to_be_enabled()
    return here


def five_with_words(people: Visitors, more: dict[str, Any] | None = None) -> list[Page]:
    """The same, but both sat down on the page, which adds words of theirs to the dice."""
    here = [person(people, name, **(more or {})) for name in ("Ann", "Bea")]
    path = open_table(here[0], "doordice", **with_bots({}))
    for page in here:
        go(people, page, path)
        sit(page)
    expect(board(here[0]).get_by_role("button", name="Roll")).to_be_enabled()
    return here


def with_bots(rules: dict[str, int]) -> dict[str, Any]:
    return {"drawn": False, "bots": [{"seat": seat, "level": "greedy"} for seat in (4, 3, 2)], "rules": rules}


def bot(page: Page, seat: int) -> str:
    """The name of who sits there."""
    name: str = page.evaluate(
        """seat => fetch('/api/tables/' + location.pathname.split('/').at(-1))
            .then(answer => answer.json()).then(table => table.seats[seat].name)""",
        seat,
    )
    return name


def roll(page: Page) -> None:
    press(page, "Roll")


def aim(page: Page, verb: str, whom: str) -> None:
    """Choose somebody round the table; the button's name says what that does."""
    board(page).get_by_role("button", name=f"{verb} {whom}").click()


def armies(*units: Unit, leagues: tuple[int, ...] = (FIRE, ICE)) -> tuple[int, ...]:
    """The 66 dice that draw two armies of these units in two leagues; with one league the 33 that draw one for both."""
    army = [byte + 1 for unit in (units * 8)[:8] for byte in unit]
    return (*army * len(leagues), *(league + 1 for league in leagues))


def duel(people: Visitors, hall: PageHall, drawn: tuple[int, ...], more: dict[str, Any] | None = None) -> list[Page]:
    """Ann and Bea with these armies, each with her own in front of her."""
    hall.script(drawn)
    ann, bea = person(people, "Ann", **(more or {})), person(people, "Bea", **(more or {}))
    rules = {} if len(drawn) == 33 else {"same_army": 0, "fight_once": 0}
    path = open_table(ann, "mana", rules=rules)
    for page in (ann, bea):
        go(people, page, path)
        sit(page)
    for page in (ann, bea):
        expect(board(page).get_by_role("heading", name="Your army")).to_be_visible()
    return [ann, bea]


def send(page: Page, unit: int) -> None:
    """Pick a unit of one's own by the number on its card."""
    board(page).get_by_role("button", name=f"Your unit {unit}:").click()
    board(page).get_by_role("button", name=f"Send unit {unit} in secret").click()
    expect(board(page).get_by_role("button", name="Send unit")).to_have_count(0)
