"""How people come to a table in these tests: opened over HTTP, then everything through the page."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.page.browsers import PATIENCE_MS, Visitors, entered, prefix_of
from tests.page.halls import PageHall


def open_table(page: Page, game: str, **wanted: Any) -> str:
    """A new table, opened by who this page belongs to; its address."""
    table: str = page.evaluate(
        """async ([url, wanted]) => {
            const answer = await fetch(url, {method: 'POST', headers: {'content-type': 'application/json'},
                                             body: JSON.stringify(wanted)});
            return (await answer.json()).id;
        }""",
        [prefix_of(page) + "/api/tables", {"game": game, "visibility": "link", **wanted}],
    )
    return f"/t/{table}"


def opened(hall: PageHall, game: str, **wanted: Any) -> str:
    """A new table, opened by somebody who has no browser; its address."""
    named = {"game": game, "visibility": "link", "name": "Friday dice", **wanted}
    return f"/t/{post(hall, '/api/tables', named, entered(hall.url, 'Host'))['id']}"


def wait_until(page: Page, script: str, arg: Any = None) -> None:
    """Wait until an asynchronous script answers something true; playwright's own wait takes its promise for that."""
    for _ in range(PATIENCE_MS // 50):
        if page.evaluate(script, arg):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {script}")


def post(hall: PageHall | Visitors, path: str, body: dict[str, Any], kept: Any) -> Any:
    """Ask something as somebody whose browser keeps this."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {kept['cookies'][0]['value']}"}
    asked = urllib.request.Request(hall.url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return json.load(answer)


def seated(people: Visitors, path: str, name: str, **more: Any) -> Page:
    """A guest who came by the link, typed a name and sat down."""
    page = people.page(path, **more)
    page.get_by_label("Your name").fill(name)
    sit(page)
    expect(page.get_by_role("button", name="Sit down")).to_be_hidden()
    return page


def person(people: Visitors, name: str, path: str = "/me", **more: Any) -> Page:
    return people.page(path, name, **more)


def go(people: Visitors, page: Page, path: str) -> None:
    page.goto(people.url + path)


def sit(page: Page) -> None:
    button = page.get_by_role("button", name="Sit down")
    expect(button).to_have_attribute("aria-busy", "false")
    button.click()


def two(people: Visitors, hall: PageHall, game: str, more: dict[str, Any] | None = None, **wanted: Any) -> list[Page]:
    """Ann and Bea at a table whose game has begun, in this order; the first roll of Aetharn is its draw.

    They sat down without a browser, which costs a third of the work; how the page seats people has tests of its own.
    """
    if game == "aetharn":
        hall.script((1,))  # the order is as they sat down
    path = opened(hall, game, seats=2, **wanted)
    kept = [entered(hall.url, name) for name in ("Ann", "Bea")]
    for one in kept:
        post(hall, f"/api/tables/{path.removeprefix('/t/')}/sit", {}, one)
    if game not in ("wards", "mana"):
        post(hall, f"/api/tables/{path.removeprefix('/t/')}/start", {}, kept[0])
    ann, bea = (people.page(path, storage_state=one, **(more or {})) for one in kept)
    for page in (ann, bea):
        expect(page.get_by_role("heading", name="turn")).to_be_visible()
        expect(page.get_by_role("region", name="The board")).to_be_visible()
    return [ann, bea]


def press(page: Page, name: str) -> None:
    """One of the big buttons; their names may go on with what they are worth. A press before is answered first."""
    button = page.get_by_role("region", name="The board").get_by_role("button", name=name)
    expect(button).to_have_attribute("aria-busy", "false")
    button.click()


def highlighted(page: Page) -> Locator:
    """The big button that a player is meant to press."""
    return page.get_by_role("region", name="The board").locator(".actions button.main")


def choose(page: Page, *places: int) -> None:
    for place in places:
        page.get_by_role("button", name=f"Die {place}:").click()


def seat_of(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Scoreboard").get_by_role("listitem").filter(has_text=name)


def told(page: Page, sentence: str) -> None:
    """The game log tells it, for eyes and for ears."""
    expect(page.get_by_role("region", name="Game log").get_by_text(sentence).first).to_be_visible()


def no_sideways(page: Page) -> None:
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"the page is {wide[0]} px wide on a screen of {wide[1]} px"


def stop_clock(page: Page) -> None:
    """From here on no time passes on this page except by `page.clock.run_for`; the clock must be installed."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
