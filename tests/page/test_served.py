"""The built page as the hall serves it: one index for every address, safe, small, and right under a path prefix."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from dicehall.server.app import make_app
from dicehall.server.languages import languages
from dicehall.server.limits import Rate
from dicehall.server.webpage import ADDRESSES, index_of, page
from dicehall.wire.languages import ENGLISH
from tests.server.doors import HOME, Doors, open_doors

MOST_JS = 80_000  # bytes of script, packed, before the lobby stands


@pytest.fixture
def doors(built: Path, tmp_path: Path) -> Iterator[Doors]:
    """A hall in this process, with the page that is under test."""
    with open_doors(tmp_path) as opened:
        yield replace(opened, client=client(opened, built))


def client(doors: Doors, built: Path) -> TestClient:
    running = doors.running
    return TestClient(make_app(running.parts, running.sockets, page(running.parts, built)), base_url=HOME)


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_of_the_page_gets_the_index_and_is_asked_for_again(doors: Doors, address: str) -> None:
    answer = doors.client.get(re.sub(r"{\w+}", "x", address))
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert '<div id="app">' in answer.text


def test_an_address_of_nothing_is_not_found(doors: Doors) -> None:
    for path in ("/t", "/t/a/b", "/nothing", "/assets/nothing.js", "/assets/../index.html", "/page/index.html"):
        assert doors.client.get(path).status_code == 404, path


def test_a_browser_at_an_address_of_nothing_gets_the_page_which_says_so(doors: Doors) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/nothing", "/t/a/b", "/leaders"):
        answer = doors.client.get(path, headers=browser)
        assert (answer.status_code, '<div id="app">' in answer.text) == (404, True), path
    for method, path in (("GET", "/api/nothing"), ("POST", "/nothing"), ("GET", "/api/tables/none")):
        answer = doors.client.request(method, path, headers=browser)
        assert answer.status_code == 404, path
        assert answer.json()["error"]["code"] in ("not_found", "no_such_table"), path


def test_files_with_a_hash_in_their_name_are_kept_for_long(doors: Doors, built: Path) -> None:
    for name in scripts(built) + styles(built):
        answer = doors.client.get(f"/assets/{name}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert re.search(r"-[\w-]{8}\.(js|css)$", name)


def test_scripts_are_sent_packed_to_everybody_who_can_unpack(doors: Doors, built: Path) -> None:
    for name in scripts(built):
        address, whole = f"/assets/{name}", (built / "assets" / name).read_bytes()
        plain = doors.client.get(address, headers={"accept-encoding": "identity"})
        packed = doors.client.get(address, headers={"accept-encoding": "br, gzip"})
        assert plain.content == packed.content == whole
        assert packed.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "content-encoding" not in plain.headers
        assert ("content-encoding" in packed.headers) == (len(gzip.compress(whole)) < len(whole))
        assert int(packed.headers["content-length"]) <= len(whole)


def test_the_page_may_load_nothing_from_elsewhere_and_has_no_script_of_its_own_inside(doors: Doors) -> None:
    answer = doors.client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
    assert re.findall(r"<script(?![^>]*\bsrc=)", answer.text) == []
    assert re.findall(r'\bon\w+="', answer.text) == []
    assert re.findall(r'(?:src|href)="(?:https?:)?//', answer.text) == []


def test_every_address_in_the_index_has_the_halls_prefix(built: Path) -> None:
    index = index_of(built, "https://example.org/dice")
    assert 'name="prefix" content="/dice/"' in index
    assert 'name="public-url" content="https://example.org/dice"' in index
    assert re.findall(r'(?:src|href)="(?!/dice/)', index) == []


def test_an_address_of_the_hall_cannot_break_out_of_the_index(built: Path) -> None:
    assert "<b>" not in index_of(built, 'https://example.org/"><b>')


def test_a_tables_qr_code_is_a_picture(doors: Doors) -> None:
    table = doors.guest("Ann").open()
    answer = doors.client.get(f"/t/{table}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")


def test_a_table_with_far_too_long_a_name_has_no_qr_code(doors: Doors) -> None:
    assert doors.client.get(f"/t/{'x' * 5000}/qr.svg").status_code == 404


def test_a_hall_without_a_built_page_has_its_plain_front_door(doors: Doors, tmp_path: Path) -> None:
    plain = client(doors, tmp_path)
    assert "This hall is open" in plain.get("/").text
    assert plain.get("/t/x").status_code == 404


def test_the_lobby_stands_after_80_kb_of_script(built: Path) -> None:
    size = sum(len(gzip.compress((built / "assets" / name).read_bytes(), 9)) for name in first_load(built))
    assert 0 < size <= MOST_JS


@pytest.mark.parametrize("language", [name for name in languages() if name != ENGLISH])
def test_the_lobby_stands_after_80_kb_of_script_in_every_language(built: Path, language: str) -> None:
    """Before it the texts of the lobby are fetched, and the games' own words; the texts of other pages come later."""
    texts = [name for name in scripts(built) if name.startswith(f"{language}.first-")]
    games = [name for name in scripts(built) if name.startswith(f"{language}-")]
    assert len(texts) == 1
    names = {*first_load(built), *texts, *games}
    size = sum(len(gzip.compress((built / "assets" / name).read_bytes(), 9)) for name in names)
    assert 0 < size <= MOST_JS


def first_load(built: Path) -> set[str]:
    """The scripts that the index names, and all that these import before they run."""
    found: set[str] = set()
    waiting = set(re.findall(r"assets/([\w.-]+\.js)", (built / "index.html").read_text(encoding="utf-8")))
    while waiting:
        name = waiting.pop()
        found.add(name)
        text = (built / "assets" / name).read_text(encoding="utf-8")
        waiting |= set(re.findall(r"(?:from|import)\s*[\"']\./([\w.-]+\.js)", text)) - found
    return found


def scripts(built: Path) -> list[str]:
    return [file.name for file in (built / "assets").glob("*.js")]


def styles(built: Path) -> list[str]:
    return [file.name for file in (built / "assets").glob("*.css")]


def finished(doors: Doors, **more: str) -> str:
    """Dice Wards that Ann wins 6-0, under a name that would be a tag."""
    ann, bo = doors.guest("Ann"), doors.guest("<b>Bo")
    table = ann.open("wards", seats=2, rules={"goal": 5}, drawn=False, name='"><script>', **more)
    doors.box.named[1] = (6,)
    for person in (ann, bo):
        person.sit(table)
    for move in ("roll", "hold"):
        ann.act(table, move)
    return table


def test_the_link_of_a_game_has_a_preview_of_its_result(doors: Doors) -> None:
    table = finished(doors)
    for path in (f"/t/{table}", f"/replay/{table}"):
        head = doors.client.get(path).text
        assert '<meta property="og:title" content="Ann beats &lt;b&gt;Bo 6-0" />' in head
        assert f'<meta property="og:url" content="{HOME}{path}" />' in head
        assert f'<meta property="og:image" content="{HOME}/t/{table}/preview.png?over" />' in head
        assert '<meta property="og:image:width" content="1200" />' in head
        assert '<meta property="twitter:card" content="summary_large_image" />' in head
        assert "<script>" not in head
    lobby = doors.guest("Cy").open("mana", name='"><script>')
    assert "&quot;&gt;&lt;script&gt; · Mana" in doors.client.get(f"/t/{lobby}").text


def test_a_finished_private_game_has_a_preview_only_if_one_person_played_it_against_bots(doors: Doors) -> None:
    ann = doors.guest("Ann")
    for more, title in (({}, "Ann beats"), ({"password": "six dice"}, "A table at Dicehall")):
        table = ann.open(
            "wards",
            seats=2,
            rules={"goal": 5},
            drawn=False,
            bots=[{"seat": 1, "level": "greedy"}],
            visibility="link",
            **more,
        )
        assert "A table at Dicehall" in doors.client.get(f"/t/{table}").text
        doors.box.named[1] = (6,)
        ann.sit(table)
        for move in ("roll", "hold"):
            ann.act(table, move)
        assert f'<meta property="og:title" content="{title}' in doors.client.get(f"/replay/{table}").text
    with_bo = doors.client.get(f"/replay/{finished(doors, visibility='link')}").text
    assert '<meta property="og:title" content="A table at Dicehall" />' in with_bo


def test_a_preview_says_nothing_of_a_private_table_and_is_never_a_reason_to_refuse(doors: Doors) -> None:
    for more in ({"visibility": "link"}, {"password": "six dice"}):
        table = doors.guest("Ann").open("wards", name="Secret evening", **more)
        head = doors.client.get(f"/t/{table}").text
        assert '<meta property="og:title" content="A table at Dicehall" />' in head
        assert "Secret" not in head
        assert "Ann" not in head
    assert "og:title" not in doors.client.get("/t/none").text
    assert doors.client.get(f"/t/{'x' * 65}").status_code == 200
    doors.running.parts.limits.rates["preview_address"] = Rate(burst=0, per_second=1)
    answer = doors.client.get(f"/t/{table}")
    assert (answer.status_code, "og:title" in answer.text) == (200, False)


def test_the_preview_of_a_link_is_in_the_language_that_the_link_names(doors: Doors) -> None:
    table = finished(doors)
    head = doors.client.get(f"/replay/{table}?language=de").text
    assert '<meta property="og:title" content="Ann schlägt &lt;b&gt;Bo 6-0" />' in head
    assert "Sieh dir die Partie noch einmal an" in head
    assert f'<meta property="og:url" content="{HOME}/replay/{table}?language=de" />' in head
    assert f'<meta property="og:image" content="{HOME}/t/{table}/preview.png?over&amp;language=de" />' in head
    challenge = doors.client.get("/challenge?language=de").text
    assert '<meta property="og:title" content="Tägliche Aufgabe · Dicehall" />' in challenge
    assert f'content="{HOME}/challenge/preview.png?language=de"' in challenge
    hidden = doors.guest("Cy").open("mana", visibility="link")
    assert "Ein Tisch bei Dicehall" in doors.client.get(f"/t/{hidden}?language=de").text


def test_a_link_in_a_language_that_there_is_not_has_an_english_preview(doors: Doors) -> None:
    for language in ("tlh", "../de", "d" * 500, "%00"):
        head = doors.client.get("/challenge", params={"language": language}).text
        assert "Daily challenge" in head
        assert '/challenge/preview.png"' in head
