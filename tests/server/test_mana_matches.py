"""Mana over Nostr at the hall's door: what the bot says, passed on; and a clear sentence where there is no bot."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from urllib.error import HTTPError

import pytest

from dicehall.launch.mana_bot import AWAY
from dicehall.server.mana import MATCH_ID
from dicehall.server.match_shapes import MATCH_SHAPES
from tests.server.bot_answers import PHASES, all_answers, finished
from tests.server.doors import Doors, open_doors
from tests.server.running import running_server
from tests.server.scripted_bot import scripted_bot

ANSWERS = all_answers()


def test_status_matches_and_one_match_are_what_the_bot_says(doors: Doors) -> None:
    for path, answer in ANSWERS.items():
        assert doors.nobody.get(f"/api/mana/bot{path}") == answer


def test_the_phases_and_the_pages_of_a_list_are_checked_before_the_bot_is_asked(doors: Doors) -> None:
    for phase in PHASES:
        assert doors.nobody.get(f"/api/mana/bot/matches?state={phase}&page=2")["pages"] == 1
    for query in ("state=Nothing", "page=0", "page=501", "page=x", "page=1%26state"):
        assert doors.nobody.wrong("GET", f"/api/mana/bot/matches?{query}") == (422, "bad_request")


@pytest.mark.parametrize("id", ["none", "a" * 65, "a b", "%2e%2e", ".", "a%0d%0ab", "%C3%A9", "a%3Fb"])
def test_a_match_that_is_not_there_or_cannot_be_is_not_found(doors: Doors, id: str) -> None:
    assert doors.nobody.wrong("GET", f"/api/mana/bot/match/{id}") == (404, "not_found")


@pytest.mark.parametrize("id", ["a", "A.b_c-9", "...", "x" * 64, "-"])
def test_every_other_id_of_a_match_is_asked_for(id: str) -> None:
    assert MATCH_ID.fullmatch(id)


def test_no_other_path_of_the_bot_is_passed_on(doors: Doors) -> None:
    for path in ("debug/rejected", "debug/outbox", "metrics", "health", "match", "match/a/b", ""):
        assert doors.nobody.wrong("GET", f"/api/mana/bot/{path}") == (404, "not_found")
    assert doors.nobody.wrong("POST", "/api/mana/bot/status", {}) == (405, "method_not_allowed")


def test_a_match_has_its_shape_in_the_document(doors: Doors) -> None:
    schemas = doors.nobody.get("/openapi.json")["components"]["schemas"]
    for shape in MATCH_SHAPES:
        assert set(schemas[shape.__name__]["required"]) == set(shape.__struct_fields__)
    assert set(schemas["BotMatch"]["required"]) == finished().answer.keys()


def test_a_hall_as_started_passes_on_what_its_bot_says_and_says_when_it_is_gone(tmp_path: Path) -> None:
    """The flag of `dicehall serve`, a real process, a real bot."""
    with ExitStack() as stack:
        with scripted_bot(ANSWERS) as bot:
            server = stack.enter_context(running_server(tmp_path, "--mana-bot", bot.url))
            assert server.get("/api/mana/bot/match/won-with-loot") == ANSWERS["/match/won-with-loot"]
            assert server.get("/api/mana/bot/matches?page=1") == ANSWERS["/matches"]
            assert bot.asked == ["/match/won-with-loot", "/matches?page=1"]
        with pytest.raises(HTTPError) as gone:
            server.get("/api/mana/bot/status")
        error = json.loads(gone.value.read())["error"]
    assert (gone.value.code, error["code"], error["message"]) == (503, "bot_unavailable", AWAY)


def test_a_hall_under_a_prefix_has_its_bot_there(tmp_path: Path) -> None:
    with open_doors(tmp_path, "https://example.org/dice") as doors:
        assert doors.client.get("/dice/api/mana/bot/status").json() == ANSWERS["/status"]
