"""No message of the JSON decoder reaches anybody, at whichever door and with whatever field something is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dicehall.server.app import ENDPOINTS
from dicehall.server.asks import ALL, ANYWHERE, AT_TABLES, WAYS_IN, HelloBody, WatchBody
from dicehall.server.endpoints import Endpoint
from dicehall.server.parts import ServerParts
from tests.server.doors import Doors, Person, open_doors

DECODER = re.compile(r"\$|Expected `|Object missing|Invalid enum|JSON is malformed|recursion|codec|msgspec|Traceback")
VALUES: tuple[Any, ...] = ("", None, 7, -1, 1.5, 10**30, True, "x" * 2000, [], [1], {}, {"a": "b"}, [{}], "two")
BROKEN = (b"{", b"[", b"nul", b"{a}", b"{} {}", b'"', b"\xff", b'{"name": "\xff"}', b"[]", b'"x"', b"[" * 5000)
SOCKET: dict[str, Any] = {"hello": HelloBody, "watch": WatchBody}
SOCKET |= {do: kind for do, (_, kind) in (AT_TABLES | ANYWHERE | WAYS_IN).items()}


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with open_doors(tmp_path_factory.mktemp("doors")) as opened:
        yield opened


def fields(kind: Any) -> list[str]:
    known = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return [one.encode_name for one in msgspec.structs.fields(kind)] if known else []


def is_a_sentence(answer: dict[str, Any]) -> None:
    error = answer["error"]
    assert not DECODER.search(json.dumps(answer)), answer
    assert error["code"] != "internal"
    assert re.fullmatch(r"[`A-Z'].*[.?]", error["message"], re.DOTALL), error["message"]


def bodies_for(endpoint: Endpoint[ServerParts]) -> Iterator[bytes]:
    yield from BROKEN
    kind = endpoint.body if endpoint.documented is None else endpoint.documented
    for name in fields(kind):
        for value in VALUES:
            yield json.dumps({name: value}).encode()


def send(person: Person, endpoint: Endpoint[ServerParts], table: str, **more: Any) -> Any:
    path = re.sub(r"{(\w+)(:\w+)?}", lambda name: "wards" if name[1] == "game" else table, endpoint.path)
    headers = {"authorization": f"Bearer {person.token}"}
    answer = person.doors.client.request(endpoint.method, path, headers=headers, **more)
    person.doors.client.cookies.clear()
    return answer


def shown(one: Endpoint[ServerParts]) -> str:
    return f"{one.method} {one.path}"


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.body is not None], ids=shown)
def test_no_wrong_body_is_answered_in_the_decoders_words(doors: Doors, endpoint: Endpoint[ServerParts]) -> None:
    ann = doors.guest("Ann")
    table = ann.open("wards")
    for text in bodies_for(endpoint):
        answer = send(ann, endpoint, table, content=text)
        assert answer.status_code < 500, (text, answer.text)
        assert not DECODER.search(answer.text), (text[:80], answer.text)
        if "error" in (told := answer.json()):
            is_a_sentence(told)
        if answer.status_code == 401:  # one that signs out
            ann = doors.guest("Ann")


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.query is not None], ids=shown)
def test_no_wrong_query_is_answered_in_the_decoders_words(doors: Doors, endpoint: Endpoint[ServerParts]) -> None:
    ann = doors.guest("Ann")
    table = ann.open("wards")
    for name in fields(endpoint.query):
        for value in ("", "x", "-1", "1.5", "9" * 30, "null", "\x00", "[]"):
            answer = send(ann, endpoint, table, params={name: value})
            assert answer.status_code < 500
            if "error" in (told := answer.json()):
                is_a_sentence(told)
                if told["error"]["code"] == "bad_request" and answer.status_code == 422:
                    assert told["error"]["message"].endswith(".")


@pytest.mark.parametrize("do", ALL)
def test_no_wrong_message_of_a_socket_is_answered_in_the_decoders_words(doors: Doors, do: str) -> None:
    ann = doors.guest("Ann")
    table = ann.open("wards")
    names = [name for name in fields(SOCKET.get(do)) if name != "id"]
    messages = [{name: value} for name in names for value in VALUES]
    with doors.socket(ann) as line:
        for count, more in enumerate(messages, 1):
            answer = line.say({"id": count, "do": do, "table": table, **more}, count)
            assert not DECODER.search(json.dumps(answer)), (more, answer)
            if "error" in answer:
                is_a_sentence(answer)
            if "token" in json.dumps(answer.get("ok", "")):
                doors.client.cookies.clear()


def test_no_unreadable_message_of_a_socket_is_answered_in_the_decoders_words(doors: Doors) -> None:
    with doors.socket(doors.guest("Ann")) as line:
        for text in ("{", "[]", "7", '{"do": 7, "id": 1}', '{"id": {}, "do": "x"}', "[" * 5000, '{"id": 1}', "\x00"):
            line.session.send_text(text)
            heard = json.loads(line.session.receive_text())
            is_a_sentence(heard)


EXACT: list[tuple[str, str, Any, str]] = [
    ("POST", "/api/accounts", {"name": "", "password": "correct horse"}, "The name can't be empty."),
    ("PATCH", "/api/me", {"name": ""}, "The name can't be empty."),
    ("POST", "/api/tables", {"game": "wards", "seats": "two"}, "`seats` must be a whole number."),
    ("POST", "/api/tables", {}, "`game` is missing."),
    ("POST", "/api/tables", {"game": "wards", "visibility": "all"}, "`visibility` must be one of public, link."),
    ("POST", "/api/tables", [], "The body must be an object."),
    ("GET", "/api/tables?page=x", None, "`page` must be a whole number."),
    ("GET", "/api/leaderboards/wards?by=luck", None, "`by` must be one of won, rate, rating."),
]


@pytest.mark.parametrize(("method", "path", "body", "sentence"), EXACT, ids=[one[3] for one in EXACT])
def test_a_wrong_field_is_named_in_a_plain_sentence(
    doors: Doors, method: str, path: str, body: Any, sentence: str
) -> None:
    answer = doors.guest("Ann").ask(method, path, body)
    assert answer.status_code == 422
    assert answer.json() == {"error": {"code": "bad_request", "message": sentence}}


@pytest.mark.parametrize(
    "text", [*BROKEN, b'{"dicehall": 1, "game": "wards", "seats": ["a", "b"], "seal": 7, "entries": []}']
)
def test_a_record_that_cannot_be_read_is_answered_with_a_code_a_path_and_a_sentence(doors: Doors, text: bytes) -> None:
    answer = doors.client.post("/api/verify", content=text)
    assert not DECODER.search(answer.text)
    told = answer.json()
    if answer.status_code == 200:
        assert set(told["invalid"]) == {"code", "path", "message"}
        assert told["invalid"]["message"].endswith(".")
    else:
        is_a_sentence(told)


def test_a_record_on_the_command_line_is_refused_in_a_sentence(tmp_path: Path) -> None:
    from tests.launch.running import run

    file = tmp_path / "record.json"
    for text in (*BROKEN, b'{"dicehall": 1, "game": "wards", "seats": ["a", "b"], "seal": {}, "entries": []}'):
        file.write_bytes(text)
        for command in (("replay", str(file)), ("replay", str(file), "--check"), ("coach", str(file))):
            ran = run(*command)
            assert not DECODER.search(f"{ran.out}{ran.err}"), (command, ran)
