"""People with a past, for the pages that tell of it: accounts, finished games, tables that wait."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors, prefix_of
from tests.page.halls import PageHall
from tests.page.tables import go, open_table, press, sit, wait_until

PASSWORD = "six-wooden-dice"
BOT = [{"seat": 1, "level": "greedy"}]
REGULAR = "Ann Rowan"
# The finished games that a browser keeps, by their table.
KEPT = """async () => {
    const prefix = document.querySelector('meta[name=prefix]').content.replace(/\\/$/, '');
    const opening = indexedDB.open('dicehall' + prefix, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('games', {keyPath: 'id'});
    const database = await new Promise((done) => (opening.onsuccess = () => done(opening.result)));
    const asked = database.transaction('games').objectStore('games').getAllKeys();
    const keys = await new Promise((done) => (asked.onsuccess = () => done(asked.result)));
    database.close();
    return keys;
}"""


def enter(page: Page, name: str, path: str) -> bool:
    """Sign up (/api/accounts) or in (/api/sessions) as the page's forms do it; whether it was granted."""
    granted: bool = page.evaluate(
        """async ([url, body]) => {
            const answer = await fetch(url, {method: 'POST', headers: {'content-type': 'application/json'},
                                             body: JSON.stringify(body)});
            if (!answer.ok) return false;
            localStorage.setItem('dicehall:me', JSON.stringify((await answer.json()).account));
            return true;
        }""",
        [prefix_of(page) + path, {"name": name, "password": PASSWORD}],
    )
    page.reload()
    return granted


def me(page: Page) -> str:
    """The id of who this page belongs to."""
    id: str = page.evaluate("JSON.parse(localStorage.getItem('dicehall:me')).id")
    return id


def shown(page: Page) -> dict[str, Any]:
    """The table of this page, as the hall tells it."""
    asked = "fetch('/api/tables/' + location.pathname.split('/').at(-1)).then(found => found.json())"
    found: dict[str, Any] = page.evaluate(asked)
    return found


def win(people: Visitors, hall: PageHall, page: Page) -> str:
    """Dice Wards to 5 against a bot, won with the first roll; the table's address."""
    hall.script((6,))
    path = open_table(page, "wards", seats=2, bots=BOT, rules={"goal": 5})
    go(people, page, path)
    press(page, "Roll")
    press(page, "Hold")
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()
    return path


def win_against(people: Visitors, hall: PageHall, winner: Page, loser: Page, **wanted: Any) -> None:
    """Dice Wards to 5 between two people."""
    hall.script((6,))
    path = open_table(winner, "wards", seats=2, rules={"goal": 5}, **wanted)
    for page in (winner, loser):
        go(people, page, path)
        sit(page)
    press(winner, "Roll")
    press(winner, "Hold")
    expect(loser.get_by_role("heading", name="wins")).to_be_visible()


def win_rated(hall: PageHall, winner: Page, loser: Page | None = None, **wanted: Any) -> None:
    """Dice Wards by its own rules, won in one turn; nobody looks at it, so no page is needed for its moves."""
    seats = {"seats": 2, "visibility": "public", "drawn": False, **wanted}
    path = open_table(winner, "wards", **seats, **({} if loser else {"bots": BOT}))
    for page in (winner, loser):
        if page is not None:
            ask(page, f"/api{path.replace('/t/', '/tables/')}/sit", {})
    hall.script(*([(6,)] * 17))
    for move in ["roll"] * 17 + ["hold"]:
        ask(winner, f"/api{path.replace('/t/', '/tables/')}/act", {"move": move})


def ask(page: Page, path: str, body: dict[str, Any]) -> None:
    """Ask the hall something as who this page belongs to."""
    done = page.evaluate(
        """async ([url, body]) => (await fetch(url, {method: 'POST', headers: {'content-type': 'application/json'},
                                             body: JSON.stringify(body)})).ok""",
        [prefix_of(page) + path, body],
    )
    assert done, f"{path} was refused"


def wait_for(people: Visitors, page: Page) -> None:
    """Begin a game against a bot and walk away while it is one's own turn."""
    path = open_table(page, "wards", seats=2, bots=BOT, name="Slow evening", rules={"turn_seconds": None})
    go(people, page, path)
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()


def regular(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
    """Ann, who has an account, a history with Bea, a table that waits for her; and Bea has opened a public one."""
    page = people.page("/sign-in", **more)
    if enter(page, REGULAR, "/api/sessions"):
        return page
    enter(page, REGULAR, "/api/accounts")
    bea = people.page("/sign-in", "Bea")
    win_rated(hall, page, bea)
    win_rated(hall, bea, page)
    wait_for(people, page)
    open_table(bea, "aetharn", seats=4, visibility="public", name="Friday dice")
    return page


def wait_for_kept(page: Page, *tables: str) -> None:
    """Until exactly these finished games can be shown without a connection."""
    wait_until(page, f"async (wanted) => (await ({KEPT})()).sort().join() === wanted", ",".join(sorted(tables)))
