"""A socket is sent anything: every message is answered, nothing is `internal`, nothing hangs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dicehall.server.asks import ALL, ANYWHERE, AT_TABLES, WAYS_IN, HelloBody, WatchBody
from tests.server.doors import Doors, Line

UNHURRIED: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck)}
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)
KINDS: dict[str, Any] = {"hello": HelloBody, "watch": WatchBody}
KINDS |= {do: kind for do, (_, kind) in (AT_TABLES | ANYWHERE | WAYS_IN).items()}
FIELDS = {do: [one.encode_name for one in msgspec.structs.fields(kind)] for do, kind in KINDS.items()}
LIKELY = st.sampled_from(["roll", "hold", {"pick": 0}, 0, 1, 7, "greedy", "wards", "public", "a" * 64, "Ann", True, {}])


@dataclass(frozen=True, slots=True)
class Fuzzed:
    line: Line
    tables: tuple[str, ...]


@pytest.fixture
def fuzzed(doors: Doors) -> Iterator[Fuzzed]:
    ann, _, wards = doors.pair()
    tables = (wards, ann.open("mana", bots=[{"seat": 1, "level": "random"}]), ann.open("tenthousand"))
    with doors.socket(ann) as line:
        yield Fuzzed(line, (*tables, "nowhere"))


@st.composite
def messages(draw: st.DrawFn, tables: tuple[str, ...]) -> dict[str, Any]:
    """A request with the fields it has, filled with what may make sense and what cannot."""
    do = draw(st.sampled_from(ALL))
    message: dict[str, Any] = {"do": do, "table": draw(st.sampled_from(tables) | ANYTHING)}
    for name in FIELDS.get(do, []):
        if name != "id" and draw(st.booleans()):
            message[name] = draw(LIKELY | ANYTHING)
    return message | draw(st.dictionaries(st.sampled_from(["id", "do", "since", "x"]), ANYTHING, max_size=1))


def answered(fuzzed: Fuzzed, message: dict[str, Any], number: int) -> None:
    sent = {"id": number, **message}
    fuzzed.line.session.send_text(json.dumps(sent))
    check(fuzzed.line, [sent["id"], None])


def check(line: Line, ids: list[Any]) -> None:
    """The next answer is for this message, and the one after it for a ping: nothing hangs, nothing is said twice."""
    heard = next_answer(line)
    assert heard["re"] in ids
    assert ("ok" in heard) != ("error" in heard)
    assert heard.get("error", {}).get("code") != "internal", heard
    line.session.send_text('{"id": "still there?", "do": "ping"}')
    assert next_answer(line)["re"] == "still there?"


def next_answer(line: Line) -> dict[str, Any]:
    while True:
        heard: dict[str, Any] = json.loads(line.session.receive_text())
        if "re" in heard:
            return heard


def fuzz(fuzzed: Fuzzed, examples: int) -> None:
    @settings(max_examples=examples, **UNHURRIED)
    @given(messages(fuzzed.tables), st.integers(-(2**53), 2**53))
    def send(message: dict[str, Any], number: int) -> None:
        answered(fuzzed, message, number)

    send()


def test_every_request_is_answered_whatever_it_holds(fuzzed: Fuzzed) -> None:
    fuzz(fuzzed, 400)


@pytest.mark.proof
def test_every_request_is_answered_whatever_it_holds_for_long(fuzzed: Fuzzed) -> None:
    fuzz(fuzzed, 20_000)


@settings(max_examples=150, **UNHURRIED)
@given(text=st.binary(max_size=200) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_bytes_that_are_no_request_are_answered_too(fuzzed: Fuzzed, text: bytes) -> None:
    fuzzed.line.session.send_bytes(text)
    heard = next_answer(fuzzed.line)
    assert heard["error"]["code"] == "bad_request"


def test_what_breaks_is_noticed(fuzzed: Fuzzed, doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer is no rubber stamp."""
    monkeypatch.setattr(doors.running.parts.hall.parts.register, "leaders", None)
    with pytest.raises(AssertionError, match="internal"):
        answered(fuzzed, {"do": "leaders", "game": "wards"}, 1)
