"""Bytes from careless and hostile people: an answer with a code, the place and a short sentence, never an exception."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.launch.running import record, replayed
from tests.wire.samples import dice, move

GOOD = record("wards", 2, [{"seat": 0, "move": "roll"}])
TEXT = json.dumps(GOOD).encode()
SHORT = 1200  # bytes of an answer: the longest sentence, and the state with its views


def with_text(old: bytes, new: bytes) -> bytes:
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


def at(part: bytes, more: int = 0) -> str:
    return f"byte {TEXT.index(part) + more}"


SEAT = b'0, "move"'

BROKEN: list[tuple[str, bytes, str]] = [
    ("nothing", b"", "byte 0"),
    ("white space", b" \n\t ", "byte 4"),
    ("a byte order mark", b"\xef\xbb\xbf" + TEXT, "byte 0"),
    ("UTF-16", TEXT.decode().encode("utf-16"), "byte 0"),
    ("Latin-1 in a name", with_text(b"seat 1", b"s\xe9at 1"), at(b"seat 1", 1)),
    ("a broken key", with_text(b"dicehall", b"dice\xff"), "byte 6"),
    ("an overlong zero", with_text(b"seat 1", b"\xc0\x80"), at(b"seat 1")),
    ("a surrogate in UTF-8", with_text(b"seat 1", b"\xed\xa0\x80"), at(b"seat 1")),
    ("half a surrogate pair", with_text(b'"seat 1"', b'"\\ud800"'), at(b"seat 1", 6)),
    ("truncated text", TEXT[:-3], f"byte {len(TEXT) - 3}"),
    ("truncated in a string", TEXT[:5], "byte 5"),
    ("more after the end", TEXT + b" x", f"byte {len(TEXT) + 2}"),
    ("two documents", TEXT + TEXT, f"byte {len(TEXT) + 1}"),
    ("a comma too many", with_text(b'"roll"}]', b'"roll"},]'), at(b"}]", 2)),
    ("NaN", with_text(b'"seat": 0', b'"seat": NaN'), at(SEAT)),
    ("Infinity", with_text(b'"seat": 0', b'"seat": Infinity'), at(SEAT)),
    ("-Infinity", with_text(b'"seat": 0', b'"seat": -Infinity'), at(SEAT, 1)),
    ("a leading zero", with_text(b'"seat": 0', b'"seat": 00'), at(SEAT, 1)),
    ("single quotes", TEXT.replace(b'"', b"'"), "byte 1"),
    ("a control character", with_text(b"seat 1", b"seat\n1"), at(b"seat 1", 4)),
    ("a hundred thousand brackets", b"[" * 100_000, ""),
    ("as many that close", b"[" * 100_000 + b"]" * 100_000, ""),
    ("a hundred thousand braces", b'{"a":' * 100_000, ""),
    ("brackets in an entry", with_text(b'"roll"', b"[" * 100_000 + b"]" * 100_000), ""),
]


@pytest.mark.parametrize(("text", "place"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_text_that_is_no_json_is_invalid_at_its_place(text: bytes, place: str) -> None:
    ran = replayed(text)
    assert ran.code == 2
    assert len(ran.lines) == 1
    told = ran.last["invalid"]
    assert (told["code"], told["path"]) == ("malformed", place)
    assert told["message"].endswith(".")
    assert len(ran.out) < 250


HUGE = [b"1e400", b"-1e400", b"1" + b"0" * 5000, b"-" + b"9" * 100_000, b"1.5e999999", b"0." + b"1" * 5000 + b"e400"]


@pytest.mark.parametrize("number", HUGE, ids=lambda number: number[:12].decode())
@pytest.mark.parametrize("place", ["seat", "roll", "at", "rule", "version", "unknown"])
def test_a_number_of_any_size_is_wrong_only_where_it_stands(number: bytes, place: str) -> None:
    """It is JSON, so it is the entry that is malformed, not the document."""
    told = {
        "seat": (with_text(b'"seat": 0', b'"seat": ' + number), "malformed"),
        "roll": (TEXT.replace(b"}]", b'}, {"roll": [' + number + b"]}]"), "malformed"),
        "at": (TEXT.replace(b"}]", b'}, {"roll": [3], "at": ' + number + b"}]"), "malformed"),
        "rule": (with_text(b'"game"', b'"rules": {"goal": ' + number + b'}, "game"'), "bad_rule"),
        "version": (with_text(b": 1", b": " + number), "malformed"),
        "unknown": (with_text(b'"game"', b'"\\"x 1e999": ' + number + b', "game"'), None),
    }[place]
    ran = replayed(told[0])
    assert len(ran.out) < SHORT
    if told[1] is None:
        assert ran.out == replayed(TEXT).out
    else:
        assert ran.code == 2
        assert (ran.last.get("invalid") or ran.last["refused"])["code"] == told[1]
        assert ("invalid" in ran.last) == (place in ("rule", "version"))


def test_text_broken_after_a_huge_number_is_still_told_at_its_place() -> None:
    text = with_text(b'"seat": 0', b'"seat": 1e400')[:-1] + b"?"
    assert replayed(text).last["invalid"]["path"] == f"byte {len(text) - 1}"


MILLION = "x" * 1_000_000
LONG: list[tuple[str, dict[str, Any]]] = [
    ("a rule", {**GOOD, "rules": {MILLION: 1}}),
    ("a rule's number", {**GOOD, "rules": {"goal": 10**4000}}),
    ("a game", {**GOOD, "game": MILLION}),
    ("a name", {**GOOD, "seats": [MILLION]}),
    ("a key of the header", {MILLION: 1}),
    ("a seat", {**GOOD, "entries": [{"seat": 10**4000, "move": "roll"}]}),
    ("a move", {**GOOD, "entries": [move(0, MILLION)]}),
    ("a move with more", {**GOOD, "entries": [move(0, {MILLION: MILLION})]}),
    ("a presence", {**GOOD, "entries": [{"seat": 0, "attend": MILLION}]}),
    ("faces", {**GOOD, "entries": [move(0, "roll"), {"roll": [10**4000] * 100}]}),
    ("a lock", record("tenthousand", 2, [move(0, "roll"), dice(1, 1, 1, 1, 1, 1), move(0, {"lock": [[1] * 100_000]})])),
    ("an effect", record("doordice", 5, [move(0, "roll"), dice(2), move(0, {"choose": {"effect": MILLION}})])),
    ("a match", record("mana", 2, [], match={"id": MILLION, "players": [MILLION, "b"]})),
    ("a seal", {**GOOD, "seal": {"table": MILLION, "s0": MILLION, MILLION: 1}}),
]


@pytest.mark.parametrize("document", [case[1] for case in LONG], ids=[case[0] for case in LONG])
def test_messages_are_short_whatever_the_input(document: dict[str, Any]) -> None:
    ran = replayed(document)
    assert ran.code == 2
    told = ran.last.get("invalid") or ran.last["refused"]
    assert len(told["message"]) <= 240
    assert len(told.get("path", "")) <= 240
    assert told["message"].endswith(".")


def test_a_long_rule_name_leaves_room_for_the_names_there_are() -> None:
    assert replayed(LONG[0][1]).last["invalid"]["message"].endswith("it has goal, turn_seconds.")


def test_of_equal_keys_the_last_counts() -> None:
    assert replayed(with_text(b'"seat": 0', b'"seat": 1, "seat": 0')).out == replayed(TEXT).out


def test_escapes_and_white_space_make_no_difference() -> None:
    text = with_text(b'"roll"', b'"\\u0072oll"').replace(b", ", b" ,\r\n\t")
    assert replayed(text).out == replayed(TEXT).out


def test_minus_nought_is_nought() -> None:
    assert replayed(with_text(b'"seat": 0', b'"seat": -0')).out == replayed(TEXT).out


@pytest.mark.parametrize("depth", [100, 500, 900, 950, 970, 980, 990])
def test_nesting_near_the_limit_is_answered_wherever_it_stands(depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    seal = b'"seal": {"table": "t", "s0": "s", "words": [], "drawn": ' + deep + b'}, "game"'
    for text in (
        with_text(b'"roll"', deep),
        with_text(b'"roll"', b'{"roll": ' + deep + b"}"),
        with_text(b'"game"', b'"rules": {"goal": ' + deep + b'}, "game"'),
        with_text(b'"game"', b'"table": ' + deep + b', "game"'),
        with_text(b'"game"', seal),
        TEXT.replace(b"wards", b"aetharn")
        .replace(b'{"seat": 0', b'{"roll": [1]}, {"seat": 0')
        .replace(b'"roll"}', b'{"hold": ' + deep + b"}}"),
        TEXT.replace(b"wards", b"mana").replace(b'"game"', b'"match": ' + deep + b', "game"'),
    ):
        ran = replayed(text, "--check")
        assert ran.code in (2, 4)
        assert len(ran.out) < SHORT


@pytest.mark.proof
def test_a_document_of_20_megabytes_is_answered() -> None:
    text = with_text(b'"game"', b'"notes": ["' + b"x" * 10_000_000 + b'", ' + b"[1,2],[]," * 1_100_000 + b'1], "game"')
    assert len(text) > 19_000_000
    assert replayed(text).out == replayed(TEXT).out


def test_a_record_of_very_many_entries_is_answered() -> None:
    passing = [{"seat": seat, "expired": True} for seat in (0, 1)]
    many = {**GOOD, "entries": [*passing * 30_000, {}]}
    assert replayed(many, "--lines").last["refused"]["index"] == 60_000
