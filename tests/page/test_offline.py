"""Without a connection: the page opens, says so, and shows the finished games that this browser keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browsers import DESK, PHONE, Visitors, axe, visitors
from tests.page.halls import PageHall, page_hall
from tests.page.played import wait_for_kept, win
from tests.page.tables import go, no_sideways, person, press, told, two, wait_until

SIZES = [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk", marks=pytest.mark.proof)]
# As the page itself does it after some seconds; then all of its files are kept.
KEEP_ALL = """async () => {
    const worker = (await navigator.serviceWorker.ready).active;
    const names = await (await fetch(document.querySelector('meta[name=prefix]').content + 'page-files.json')).json();
    worker.postMessage('keep');
    const cache = await caches.open('dicehall-page');
    while ((await cache.keys()).length < names.length + 1) await new Promise((done) => setTimeout(done, 50));
}"""
REPORT = """async (table) => {
    const opening = indexedDB.open('dicehall', 1);
    const database = await new Promise((done) => (opening.onsuccess = () => done(opening.result)));
    const asked = database.transaction('games').objectStore('games').get(table);
    const row = await new Promise((done) => (asked.onsuccess = () => done(asked.result)));
    database.close();
    return Boolean(JSON.parse(row.text).report);
}"""


def lose_connection(people: Visitors, page: Page) -> None:
    people.may_be_away = True
    page.context.set_offline(True)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_offline_the_page_says_so_and_shows_the_games_that_were_played_here(
    people: Visitors, hall: PageHall, size: dict[str, int]
) -> None:
    page = person(people, "Ann", viewport=size)
    table = win(people, hall, page).removeprefix("/t/")
    wait_for_kept(page, table)
    page.evaluate(KEEP_ALL)
    lose_connection(people, page)
    page.goto(people.url + "/")
    expect(page.get_by_role("heading", name="You’re offline")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Finished games on this device").click()
    row = page.get_by_role("listitem").filter(has_text="Dice Wards")
    expect(row).to_contain_text("You win!")
    expect(row).to_contain_text("against")
    axe(page)
    no_sideways(page)
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()
    told(page, "Ann wins")
    axe(page)
    no_sideways(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download record").click()
    assert download.value.suggested_filename == f"wards-{table}.json"
    page.reload()  # the same address, without a connection
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()
    page.context.set_offline(False)
    page.goto(people.url + "/")
    expect(page.get_by_role("button", name="Play").first).to_be_visible()


@pytest.mark.proof
def test_a_phone_that_goes_offline_says_so_at_the_table_and_in_the_profile(people: Visitors) -> None:
    page = person(people, "Ann", "/", viewport=PHONE)
    page.get_by_role("button", name="Play now: Dice Wards").click()
    expect(page.get_by_role("button", name="Roll")).to_be_enabled()
    page.evaluate(KEEP_ALL)
    lose_connection(people, page)
    expect(page.get_by_text("You’re offline. Your moves are saved.")).to_be_visible(timeout=5000)
    page.goto(people.url + "/me")
    expect(page.get_by_role("heading", name="You’re offline")).to_be_visible()
    page.get_by_role("link", name="Finished games on this device").click()
    expect(page.get_by_role("heading", name="Finished games on this device")).to_be_visible()


@pytest.mark.proof
@pytest.mark.parametrize("path", ["/challenge", "/leaders/all", "/me", "/play/wards"])
def test_offline_a_page_that_needs_the_hall_says_so_and_loads_when_the_connection_is_back(
    people: Visitors, path: str
) -> None:
    page = person(people, "Ann", "/", viewport=PHONE)
    page.evaluate(KEEP_ALL)
    lose_connection(people, page)
    page.goto(people.url + path)
    offline = page.get_by_role("heading", name="You’re offline")
    expect(offline).to_be_visible()
    page.context.set_offline(False)
    loaded = {
        "/challenge": page.get_by_role("heading", name="Results"),
        "/leaders/all": page.get_by_role("link", name="Dice Wards"),
        "/me": page.get_by_role("heading", name="Ann"),
        "/play/wards": page.get_by_role("button", name="Play against bots"),
    }
    expect(loaded[path]).to_be_visible(timeout=30_000)
    expect(offline).to_be_hidden()


@pytest.mark.proof
def test_offline_the_page_opens_in_german_too(people: Visitors) -> None:
    page = people.page("/", viewport=PHONE, locale="de-DE")
    expect(page.get_by_role("heading", name="Setz dich dazu.")).to_be_visible()
    page.evaluate(KEEP_ALL)
    lose_connection(people, page)
    page.goto(people.url + "/")
    expect(page.get_by_role("heading", name="Du bist offline")).to_be_visible()


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_offline_a_kept_game_is_stepped_through_on_its_board_and_shows_where_it_turned(
    people: Visitors, hall: PageHall, size: dict[str, int]
) -> None:
    page = person(people, "Ann", viewport=size)
    with page.expect_response("**/coach?*"):
        table = win(people, hall, page).removeprefix("/t/")
    wait_for_kept(page, table)
    wait_until(page, REPORT, table)
    page.evaluate(KEEP_ALL)
    lose_connection(people, page)
    page.goto(people.url + f"/offline?game={table}")
    page.get_by_role("link", name="Watch on the board").click()
    slider = page.get_by_role("slider", name="Position in the game")
    expect(slider).to_have_value("0")
    page.get_by_role("button", name="Step forward").click()
    expect(page.get_by_role("region", name="The board").get_by_text("Ann rolls a 6.")).to_be_visible()
    expect(slider).to_have_value("1")
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()
    expect(page.get_by_role("button", name="Play on from here")).to_have_count(0)
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    axe(page)
    no_sideways(page)
    page.reload()  # the address names the game and the moment
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    page.goto(people.url + f"/replay/{table}")  # a link from before leads to the browser's own copy
    expect(page.get_by_text("Kept on this device.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("button", name="Play on from here")).to_be_visible()


@pytest.mark.proof
def test_a_hall_that_is_down_is_said_in_the_pages_own_words(browser: Browser, built: Path, tmp_path: Path) -> None:
    """Under a path prefix, where games are kept apart from those of other halls at the same address."""
    with page_hall(tmp_path, "/dice", built) as hall, visitors(browser, hall.url) as people:
        page = person(people, "Ann")
        table = win(people, hall, page).removeprefix("/t/")
        wait_for_kept(page, table)
        page.evaluate(KEEP_ALL)
        people.may_be_away = True
        hall.stop()
        page.goto(hall.url + "/offline")
        expect(page.get_by_text("There is no connection to the hall")).to_be_visible()
        expect(page.get_by_role("listitem").filter(has_text="You win!")).to_be_visible()
        page.goto(hall.url + f"/t/{table}")
        expect(page.get_by_text("Connection lost.")).to_be_visible()
        hall.start()
        expect(page.get_by_role("heading", name="You win!")).to_be_visible()


@pytest.mark.proof
def test_a_spectator_keeps_what_they_saw_to_its_end_and_a_latecomer_nothing(people: Visitors, hall: PageHall) -> None:
    hall.script((6,))
    ann, bea = two(people, hall, "wards", rules={"goal": 6})
    path = ann.url.removeprefix(hall.url)
    eve = people.page(path)
    expect(eve.get_by_text("You’re watching")).to_be_visible()
    press(ann, "Roll")
    press(ann, "Hold")
    late = people.page(path)
    for page in (ann, bea, eve):
        wait_for_kept(page, path.removeprefix("/t/"))
    expect(late.get_by_role("heading", name="Ann wins")).to_be_visible()
    go(people, late, "/offline")
    expect(late.get_by_text("No finished games yet.")).to_be_visible()


@pytest.mark.proof
def test_deleting_a_guest_deletes_the_games_that_the_browser_kept(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann")
    wait_for_kept(page, win(people, hall, page).removeprefix("/t/"))
    go(people, page, "/me")
    page.get_by_role("button", name="Delete guest").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    wait_for_kept(page)
    go(people, page, "/offline")
    expect(page.get_by_text("No finished games yet.")).to_be_visible()
    expect(page.get_by_text("You’re connected.")).to_be_visible()


@pytest.mark.proof
def test_after_a_deploy_the_new_page_is_shown_and_the_files_of_the_old_one_are_dropped(
    people: Visitors, built: Path
) -> None:
    """A deploy is played by an old page in the cache: what the hall says always comes first."""
    page = people.page("/sealed")
    page.evaluate(KEEP_ALL)
    page.evaluate(
        """async () => {
            const cache = await caches.open('dicehall-page');
            const home = new URL(document.querySelector('meta[name=prefix]').content, location.href).href;
            const old = {headers: {'content-type': 'text/html'}};
            await cache.put(home, new Response('<h1>an old page</h1>', old));
            await cache.put(home + 'assets/old-abc.js', new Response('old'));
        }"""
    )
    page.reload()
    expect(page.get_by_role("heading", name="Sealed dice", exact=True)).to_be_visible()
    page.evaluate(KEEP_ALL)
    kept = page.evaluate("async () => (await (await caches.open('dicehall-page')).keys()).map((one) => one.url)")
    assert not [url for url in kept if "old-abc" in url]
    people.may_be_away = True
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Sealed dice", exact=True)).to_be_visible()


@pytest.mark.proof
def test_a_table_with_the_name_of_a_file_does_not_empty_what_is_kept_for_its_visitors(people: Visitors) -> None:
    """The worker compares the files that a document names; a table's name stands in there, too, in its preview."""
    page = person(people, "Ann")
    page.evaluate(KEEP_ALL)
    table = page.evaluate(
        """async () => {
            const home = new URL(document.querySelector('meta[name=prefix]').content, location.href).href;
            await (await caches.open('dicehall-page')).put(home + 'assets/mark.js', new Response('mark'));
            const body = JSON.stringify({game: 'wards', name: 'assets/other.js'});
            return (await (await fetch(home + 'api/tables', {method: 'POST', body})).json()).id;
        }"""
    )
    page.goto(f"{people.url}/t/{table}")
    expect(page.get_by_text("assets/other.js").first).to_be_visible()
    page.evaluate(KEEP_ALL)
    kept = page.evaluate("async () => (await (await caches.open('dicehall-page')).keys()).map((one) => one.url)")
    assert any(url.endswith("assets/mark.js") for url in kept)
