"""Good records with something changed at random, as JSON and as bytes: always one of the documented answers."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.launch.running import Ran, replayed
from tests.wire.samples import GOLDEN, golden
from tests.wire.test_codes import CODES

INVALID = {
    "malformed",
    "unknown_version",
    "unknown_edition",
    "unknown_game",
    "unknown_rule",
    "bad_rule",
    "bad_seats",
}
REFUSED = set().union(*CODES.values())
GAMES = {path.parent.name for path in GOLDEN}
SMALL = {
    game: [golden(path) for path in GOLDEN if path.parent.name == game and path.stat().st_size < 3000] for game in GAMES
}

tried = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
words = st.sampled_from(
    ["roll", "move", "seat", "expired", "attend", "at", "opened", "hold", "lock", "choose", "pick", "commit", "reveal"]
    + ["effect", "target", "goal", "rounds", "rules", "seal", "match", "away", "gone", "here", "fold", "bank", "yield"]
)
numbers = st.integers(-2, 9) | st.sampled_from([10**9, 2**63, -(2**70), 10**400])
simple = st.none() | st.booleans() | numbers | st.floats() | words | st.text(max_size=5)
values = st.recursive(
    simple,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def check_documented(ran: Ran) -> None:
    """Whatever came in, what comes out is what the protocol says can come out."""
    *answers, last = ran.lines
    assert [answer["entry"] for answer in answers] == list(range(len(answers)))
    if "invalid" in last:
        assert (ran.code, answers) == (2, [])
        assert last["invalid"].keys() == {"code", "path", "message"}
        assert last["invalid"]["code"] in INVALID
        assert last["invalid"]["message"].endswith(".")
    elif "refused" in last:
        assert ran.code == 2
        assert last.keys() == {"refused", "over", "state", "views"}
        assert last["refused"]["index"] == len(answers)
        assert last["refused"]["code"] in REFUSED
        assert last["refused"]["message"].endswith(".")
    else:
        assert ran.code == 0
        assert last.keys() == {"over", "state", "views", "choices"}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a document with every key of it."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        pairs += [(value, key) for key in keys]
        for key in keys:
            pairs += places(value[key])
    return pairs


@st.composite
def mutated(draw: st.DrawFn, game: str) -> Any:
    """A golden record with one to three things replaced, removed, doubled, renamed or added."""
    document = copy.deepcopy(draw(st.sampled_from(SMALL[game])))
    for _ in range(draw(st.integers(1, 3))):
        found = places(document)
        if not found:
            break
        inside, key = draw(st.sampled_from(found))
        match draw(st.sampled_from(["replace", "replace", "remove", "double", "rename", "add"])):
            case "remove":
                del inside[key]
            case "double" if isinstance(inside, list):
                inside.insert(key, copy.deepcopy(inside[key]))
            case "rename" if isinstance(inside, dict):
                inside[draw(words)] = inside.pop(key)
            case "add" if isinstance(inside, dict):
                inside[draw(words)] = draw(values)
            case _:
                inside[key] = draw(values)
    return document


def as_text(document: Any) -> bytes:
    """NaN and Infinity are written as Python's json does, which others do not read."""
    return json.dumps(document).encode()


@pytest.mark.parametrize("game", sorted(GAMES))
@tried
@given(data=st.data())
def test_a_record_with_changed_values_gets_a_documented_answer(game: str, data: st.DataObject) -> None:
    check_documented(replayed(as_text(data.draw(mutated(game)))))


@tried
@given(data=st.data())
def test_a_record_with_changed_bytes_gets_a_documented_answer(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(sorted(GAMES)))
    text = bytearray(as_text(data.draw(st.sampled_from(SMALL[game]))))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(0, len(text) - 1)))
        until = at + data.draw(st.sampled_from([0, 1, 1, 5, 10_000]))
        text[at:until] = data.draw(
            st.sampled_from([b"", b"9", b"1e999", b'"', b"\\u", b"[", b"}"]) | st.binary(max_size=3)
        )
    check_documented(replayed(bytes(text)))


@tried
@given(text=st.binary(max_size=60) | st.text(max_size=30).map(str.encode) | values.map(as_text))
def test_anything_gets_a_documented_answer(text: bytes) -> None:
    check_documented(replayed(text))


@tried
@given(parts=st.lists(st.sampled_from([*SMALL["wards"][:4], None, 7, "x", []]) | values, max_size=6))
def test_each_line_gets_one_answer(parts: list[Any]) -> None:
    ran = replayed(b"".join(as_text(part) + b"\n" for part in parts), "--lines")
    assert len(ran.lines) == len(parts)
    alone = [replayed(as_text(part)) for part in parts]
    assert ran.lines == [one.last for one in alone]
    assert ran.code == max((one.code for one in alone), default=0)
