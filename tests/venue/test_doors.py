"""The bridge over HTTP: its doors, its secret and its limits, in a hall that serves other people too."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.launch.venue_bridge import make_bridge
from dicehall.server import nwn
from dicehall.server.limits import Limits, Rate
from dicehall.venue.sample import tavern
from tests.server.doors import FREE, Doors, StoppedClock, open_doors
from tests.venue.world import SECRET, named

KEY = {"authorization": f"Bearer {SECRET}"}
PATHS = [("POST", "/nwn/events"), ("GET", "/nwn/commands?wait=0"), ("GET", "/nwn/tables")]
CHAIR = tavern().tables[0].chairs[0].id
SIT = {"type": "chair_used", "player": named("ann"), "payload": {"area": "griffin", "object": CHAIR}}


@contextmanager
def venue_doors(folder: Path, **more: Any) -> Iterator[Doors]:
    with open_doors(folder, bridge=make_bridge(tavern(), catalogue(), SECRET), **more) as doors:
        yield doors


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    with venue_doors(tmp_path) as doors:
        yield doors


def ask(doors: Doors, method: str, path: str, body: Any = None, headers: Any = KEY) -> tuple[int, Any]:
    content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    answer = doors.client.request(method, path, content=content, headers=headers)
    return answer.status_code, answer.json()


def refused(doors: Doors, method: str, path: str, body: Any = None, headers: Any = KEY) -> tuple[int, str]:
    status, answer = ask(doors, method, path, body, headers)
    assert answer["error"]["message"]
    return status, answer["error"]["code"]


def test_the_doors_answer_as_documented(doors: Doors) -> None:
    status, listed = ask(doors, "GET", "/nwn/tables")
    assert (status, [table["name"] for table in listed["tables"]]) == (
        200,
        ["Aetharn - Table #1", "Aetharn - Table #2"],
    )
    chair = listed["tables"][0]["chairs"][0]
    assert chair == {"id": CHAIR, "area": "griffin", "tag": "aetharn_player_seat", "x": 7.5, "y": 7.0, "z": 0.0}
    status, answer = ask(doors, "POST", "/nwn/events", SIT)
    assert (status, [command["op"] for command in answer["commands"]]) == (200, ["create"])
    status, answer = ask(doors, "GET", "/nwn/commands?wait=0")
    assert (status, answer["reset"], answer["seq"]) == (200, "start", 1)
    status, after = ask(doors, "GET", f"/nwn/commands?wait=0&since={answer['next']}")
    assert (status, after["commands"], after["reset"]) == (200, [], "")


def test_answers_are_ascii_whatever_people_are_called(doors: Doors) -> None:
    body = {**SIT, "player": {"key": "k", "name": "Zo\u00eb"}}
    answer = doors.client.post("/nwn/events", json=body, headers=KEY)
    assert answer.content.isascii()
    assert answer.json()["commands"][0]["binds"]["board_name"] == ["Zo\u00eb (you)"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer"},
        {"authorization": "Bearer wrong"},
        {"authorization": SECRET},
        {"authorization": f"Basic {SECRET}"},
        {"authorization": f"Bearer {SECRET}x"},
        {"x-api-key": SECRET},
        {"cookie": f"dicehall={SECRET}"},
    ],
)
def test_without_the_secret_nothing_is_answered_and_nothing_changes(doors: Doors, headers: dict[str, str]) -> None:
    for method, path in PATHS:
        assert refused(doors, method, path, SIT if method == "POST" else None, headers) == (401, "not_signed_in")
    assert ask(doors, "GET", "/nwn/tables")[1]["tables"][0]["phase"] == "Empty"


def test_the_token_of_an_account_is_not_the_secret(doors: Doors) -> None:
    guest = doors.guest("Ann")
    assert refused(doors, "GET", "/nwn/tables", headers={"authorization": f"Bearer {guest.token}"})[0] == 401


def test_the_secret_is_no_token_of_an_account(doors: Doors) -> None:
    assert refused(doors, "GET", "/api/me") == (401, "not_signed_in")


@pytest.mark.parametrize(
    ("method", "path", "body", "met"),
    [
        ("POST", "/nwn/events", b"", (422, "bad_request")),
        ("POST", "/nwn/events", b"{", (422, "bad_request")),
        ("POST", "/nwn/events", b"[" * 9_000, (422, "bad_request")),
        ("POST", "/nwn/events", b"x" * 16_385, (413, "too_large")),
        ("POST", "/nwn/events", {"type": "juggle"}, (422, "bad_request")),
        ("POST", "/nwn/events", {**SIT, "payload": {"area": "griffin", "object": "x"}}, (404, "not_found")),
        ("POST", "/nwn/events", {**SIT, "type": "chair_left"}, (404, "no_such_account")),
        ("POST", "/nwn/events", {"type": "click", "player": named("ann"), "window": "aetharn"}, (404, "not_found")),
        ("GET", "/nwn/events", None, (405, "method_not_allowed")),
        ("POST", "/nwn/tables", {}, (405, "method_not_allowed")),
        ("GET", "/nwn/commands?wait=-1", None, (422, "bad_request")),
        ("GET", "/nwn/commands?wait=1e3", None, (422, "bad_request")),
        ("GET", "/nwn/commands?wait=99999", None, (422, "bad_request")),
        ("GET", "/nwn/nothing", None, (404, "not_found")),
    ],
)
def test_what_makes_no_sense_gets_a_code_and_a_sentence(
    doors: Doors, method: str, path: str, body: Any, met: tuple[int, str]
) -> None:
    assert refused(doors, method, path, body) == met
    assert ask(doors, "GET", "/nwn/tables")[1]["tables"][0]["phase"] == "Empty"


def test_what_the_rules_refuse_is_409(doors: Doors) -> None:
    ask(doors, "POST", "/nwn/events", SIT)
    start = {"type": "click", "player": named("ann"), "window": "aetharn", "element": "start"}
    assert refused(doors, "POST", "/nwn/events", start) == (409, "too_few_seats")


def test_without_a_venue_there_are_no_doors(tmp_path: Path) -> None:
    with open_doors(tmp_path) as doors:
        assert refused(doors, "GET", "/nwn/tables") == (404, "not_found")


def test_the_tables_of_a_venue_are_not_listed_among_those_of_the_hall(doors: Doors) -> None:
    """A20."""
    ask(doors, "POST", "/nwn/events", SIT)
    assert doors.nobody.get("/api/tables")["tables"] == []


# -- limits -----------------------------------------------------------------------------------------------


def limited(**rates: Rate) -> Limits:
    return Limits(StoppedClock(), {**FREE, **rates})


def test_a_game_server_is_not_limited_as_an_address(tmp_path: Path) -> None:
    none = Rate(burst=0, per_second=1)
    with venue_doors(tmp_path, limits=limited(request=none, request_address=none)) as doors:
        for method, path in PATHS:
            assert ask(doors, method, path, SIT if method == "POST" else None)[0] == 200


def test_a_stranger_is_limited_as_everybody(tmp_path: Path) -> None:
    with venue_doors(tmp_path, limits=limited(request=Rate(burst=2, per_second=1))) as doors:
        for met in ((401, "not_signed_in"), (401, "not_signed_in"), (429, "rate_limited"), (429, "rate_limited")):
            assert refused(doors, "POST", "/nwn/events", SIT, {"authorization": "Bearer guess"}) == met
        assert ask(doors, "GET", "/nwn/tables")[0] == 200


def test_even_a_game_server_can_ask_too_much(tmp_path: Path) -> None:
    with venue_doors(tmp_path, limits=limited(venue=Rate(burst=2, per_second=1))) as doors:
        assert [ask(doors, "GET", "/nwn/tables")[0] for _ in range(3)] == [200, 200, 429]


def test_one_player_who_does_too_much_is_in_nobodys_way(tmp_path: Path) -> None:
    with venue_doors(tmp_path, limits=limited(venue_use=Rate(burst=1, per_second=1))) as doors:
        ask(doors, "POST", "/nwn/events", SIT)
        assert refused(doors, "POST", "/nwn/events", SIT) == (429, "rate_limited")
        assert refused(doors, "POST", "/nwn/events", {**SIT, "player": named("bo")}) == (409, "seat_taken")


# -- the log ------------------------------------------------------------------------------------------------


def test_the_secret_is_never_logged_not_even_when_something_breaks(
    doors: Doors, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise LookupError("something broke")

    with caplog.at_level(logging.DEBUG):
        for method, path in PATHS:
            ask(doors, method, path, SIT if method == "POST" else None)
            ask(doors, method, path, b"{" if method == "POST" else None)
        monkeypatch.setattr(doors.running.bridge, "tables", broken)
        assert refused(doors, "GET", "/nwn/tables") == (500, "internal")
    assert "something broke" in caplog.text
    assert SECRET not in caplog.text


def test_an_answer_in_ascii_says_the_same(doors: Doors) -> None:
    answer = {"commands": [{"op": "message", "text": 'Zo\u00eb \U0001f3b2 "x" \\ \x01'}], "next": "run.3", "share": 0.1}
    written = nwn.ascii_json(answer)
    assert written.isascii()
    assert json.loads(written) == answer


def test_every_window_of_a_full_tavern_is_written_at_once(doors: Doors) -> None:
    """As a whole, not as a walk through Python objects, which would take ten times as long and hold up everybody."""
    ask(doors, "POST", "/nwn/events", SIT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json, "dumps", lambda *_, **__: pytest.fail("this is slow"))
        answer = doors.client.get("/nwn/commands?wait=0", headers=KEY)
    assert answer.json()["reset"] == "start"
