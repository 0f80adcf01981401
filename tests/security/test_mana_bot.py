"""What the hall passes on from the Mana bot: nobody reaches more of the bot through it, or harms the hall by it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote

import msgspec
import pytest

from dicehall.launch import mana_bot
from dicehall.launch.mana_bot import ManaBotClient
from dicehall.server import mana
from dicehall.server.limits import RATES
from dicehall.server.parts import Settings
from tests.security.live import LiveHall, both_ways, live_hall
from tests.security.wire import answer_to, connect, status_of
from tests.server.bot_answers import all_answers
from tests.server.scripted_bot import HANG, ScriptedBot, http, scripted_bot

STATUS = json.dumps(all_answers()["/status"]).encode()
ANYTHING = re.compile(".*", re.DOTALL)


@pytest.fixture
def bot() -> Iterator[ScriptedBot]:
    with scripted_bot(all_answers()) as running:
        yield running


@pytest.fixture
def hall(tmp_path: Path, bot: ScriptedBot) -> Iterator[LiveHall]:
    settings = Settings("http://127.0.0.1", mana_bot=bot.url)
    with live_hall(tmp_path, settings=settings) as live:
        yield live


def get(hall: LiveHall, path: str) -> bytes:
    """Sent as it is: no client library tidies the path."""
    return answer_to(connect(hall), f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())


@both_ways
@pytest.mark.parametrize("id", ["..", "%2e%2e"])
def test_a_match_named_like_a_folder_reaches_no_other_page_of_the_bot(
    hall: LiveHall, bot: ScriptedBot, monkeypatch: pytest.MonkeyPatch, id: str, guarded: bool
) -> None:
    """A proxy before the bot resolves such a path to one that nobody should ask for."""
    if not guarded:
        monkeypatch.setattr(mana, "MATCH_ID", ANYTHING)
    assert status_of(get(hall, f"/api/mana/bot/match/{id}")) in (404, 503)
    harmed = any(not normpath(unquote(path)).startswith("/match/") for path in bot.asked)
    assert harmed is not guarded


@both_ways
def test_a_match_with_line_breaks_in_its_name_smuggles_no_request_to_the_bot(
    hall: LiveHall, bot: ScriptedBot, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Two guards: the pattern of an id, and the quoting of the path that is sent."""
    if not guarded:
        monkeypatch.setattr(mana, "MATCH_ID", ANYTHING)
        monkeypatch.setattr(mana_bot, "quote", lambda path, safe: path)
    get(hall, "/api/mana/bot/match/x%20HTTP%0d%0aAuthorization:%20mine%0d%0aX:")
    harmed = any("Authorization: mine" in head.splitlines() for head in bot.heads)
    assert harmed is not guarded


@both_ways
def test_a_bot_that_never_answers_is_not_asked_by_a_crowd_at_once(
    hall: LiveHall, bot: ScriptedBot, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Requests for many matches: few connections are open to the bot, and an honest player plays on."""
    bot.said["*"] = HANG
    if not guarded:
        hall.call(lambda: setattr(client_of(hall), "places", asyncio.Semaphore(1000)))
    honest = hall.honest_pair()
    lines = [connect(hall) for _ in range(20)]
    for number, line in enumerate(lines):
        line.sendall(f"GET /api/mana/bot/match/m{number} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    bot.wait_for(mana_bot.MAX_AT_ONCE if guarded else 20)
    for _ in range(10):
        assert "ok" in honest.act()
    assert (bot.most_at_once > mana_bot.MAX_AT_ONCE) is not guarded
    bot.released.set()


@both_ways
def test_a_reload_a_hundred_times_a_second_asks_the_bot_once(
    hall: LiveHall, bot: ScriptedBot, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    hall.call(lambda: setattr(client_of(hall), "now", lambda: 1000.0))
    if not guarded:
        monkeypatch.setattr(mana_bot, "FRESH_S", 0.0)
    for _ in range(20):
        assert status_of(get(hall, "/api/mana/bot/status")) == 200
    assert (len(bot.asked) > 1) is not guarded


@both_ways
def test_one_address_cannot_ask_about_matches_without_end(
    hall: LiveHall, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    limits = hall.running.parts.limits
    burst = int(RATES["mana_bot"].burst)
    if not guarded:
        limits.rates |= dict.fromkeys(("mana_bot", "mana_bot_address"), RATES["request"])
    # far more than the limit, so that what it refills meanwhile does not matter
    statuses = [status_of(get(hall, f"/api/mana/bot/match/{'x' * 65}")) for _ in range(3 * burst)]
    assert (429 not in statuses) is not guarded


@both_ways
def test_a_bot_that_was_taken_over_does_not_fill_the_halls_memory(
    hall: LiveHall, bot: ScriptedBot, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    bot.said["/status"] = http(STATUS[:-1] + b" " * (mana_bot.MAX_BYTES + 1) + b"}")
    if not guarded:
        monkeypatch.setattr(mana_bot, "MAX_BYTES", 1 << 30)
    harmed = status_of(get(hall, "/api/mana/bot/status")) == 200
    assert harmed is not guarded


def test_a_bot_that_was_taken_over_sends_nobody_elsewhere(hall: LiveHall, bot: ScriptedBot) -> None:
    """There is no guard to switch off: nothing in the client knows what a redirect is."""
    with scripted_bot({"*": http(STATUS)}) as inner:
        bot.said["/status"] = http(STATUS, "302 Found", f"Location: {inner.url}/status")
        assert status_of(get(hall, "/api/mana/bot/status")) == 503
        assert inner.asked == []


@both_ways
def test_a_bot_that_was_taken_over_gets_no_script_or_other_document_passed_on(
    hall: LiveHall, bot: ScriptedBot, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    bot.said["/status"] = http(b"<script>alert(1)</script>")
    if not guarded:
        monkeypatch.setattr(mana_bot, "checked", lambda body, shape: msgspec.Raw(body))
    answer = get(hall, "/api/mana/bot/status")
    assert (b"<script>" in answer) is not guarded
    assert b"content-type: application/json" in answer.lower()


def test_a_client_cannot_say_where_the_bot_is(hall: LiveHall, bot: ScriptedBot) -> None:
    """There is no guard to switch off: no part of a request is read as an address.

    The control is the bot, which is asked.
    """
    with scripted_bot({"*": http(STATUS)}) as other:
        for more in (f"?url={other.url}", f"?mana-bot={other.url}", f"?host=127.0.0.1:{other.port}"):
            get(hall, f"/api/mana/bot/status{more}")
        get(hall, f"/api/mana/bot/match/@127.0.0.1:{other.port}")
        assert other.asked == []
    assert set(bot.asked) == {"/status"}


def client_of(hall: LiveHall) -> ManaBotClient:
    client = hall.running.parts.mana_bot
    assert isinstance(client, ManaBotClient)
    return client
