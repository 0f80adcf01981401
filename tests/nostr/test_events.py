"""Events: ids and signatures that other programs agree with, and shapes checked before anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nostr_sdk import Event as ForeignEvent
from nostr_sdk import EventBuilder, Keys, Kind
from nostr_sdk import Tag as ForeignTag

from dicehall.nostr.events import (
    MAX_EVENT_BYTES,
    InvalidEvent,
    convert_event,
    encode_event,
    read_event,
    sign_event,
)
from dicehall.nostr.keys import SecretKey

KEY = SecretKey(bytes(31) + b"\7")
TEXTS = [
    "",
    "plain",
    'quotes " and \\ and /',
    "line\nfeed\ttab\r\b\f",
    "ü 🎲 \u2028 \u007f",
    "\u0001 \u001f",
    "1" * 5000,
]


def signed(content: str = "hello", **changed: Any) -> dict[str, Any]:
    event = sign_event(KEY, 1_700_000_000, 1, (("t", "mana-strategy"), ("d", "m1")), content)
    shown: dict[str, Any] = json.loads(encode_event(event))
    return shown | changed


@pytest.mark.parametrize("content", TEXTS)
def test_nostr_sdk_accepts_what_we_sign(content: str) -> None:
    foreign = ForeignEvent.from_json(json.dumps(signed(content)))
    assert foreign.verify()
    assert foreign.content() == content


@pytest.mark.parametrize("content", TEXTS)
def test_we_accept_what_nostr_sdk_signs(content: str) -> None:
    tags = [ForeignTag.parse(["t", "mana-strategy"]), ForeignTag.parse(["match_id", content or "x"])]
    foreign = EventBuilder(Kind(1), content).tags(tags).finalize(Keys.generate())
    event = read_event(foreign.as_json().encode())
    assert event.content == content
    assert event.tag("match_id") == (content or "x")


@given(content=st.text(), tags=st.lists(st.lists(st.text(), max_size=3), max_size=4))
def test_an_event_comes_back_as_what_it_was(content: str, tags: list[list[str]]) -> None:
    event = sign_event(KEY, 5, 30, tuple(tuple(tag) for tag in tags), content)
    assert read_event(encode_event(event)) == event
    assert convert_event(json.loads(encode_event(event))) == event


MISSHAPEN: dict[str, Any] = {
    "id too short": {"id": "ab"},
    "id in capitals": {"id": signed()["id"].upper()},
    "id with a line feed": {"id": signed()["id"] + "\n"},
    "pubkey not hex": {"pubkey": "g" * 64},
    "signature of another length": {"sig": "ab" * 32},
    "time as text": {"created_at": "1700000000"},
    "time before the epoch": {"created_at": -1},
    "time as a fraction": {"created_at": 1.5},
    "huge time": {"created_at": 10**30},
    "kind too large": {"kind": 65536},
    "tags as text": {"tags": "t"},
    "a tag as text": {"tags": ["t"]},
    "a number in a tag": {"tags": [["t", 1]]},
    "null in a tag": {"tags": [["t", None]]},
    "too many tags": {"tags": [["t"]] * 2001},
    "content as a number": {"content": 1},
    "content null": {"content": None},
    "a lone surrogate in the content": {"content": "\ud800"},
    "a lone surrogate in a tag": {"tags": [["t", "\udfff"]]},
    "another content": {"content": "something else"},
    "another time": {"created_at": 1_700_000_001},
    "another author": {"pubkey": SecretKey(bytes(31) + b"\10").public_hex},
}


@pytest.mark.parametrize("change", MISSHAPEN.values(), ids=MISSHAPEN.keys())
def test_a_misshapen_or_forged_event_is_refused_and_nothing_breaks(change: dict[str, Any]) -> None:
    event = signed() | change
    with pytest.raises(InvalidEvent):
        convert_event(event)
    with pytest.raises(InvalidEvent):
        read_event(json.dumps(event).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b"{", b"\xff", b"[" * 100_000, b'{"id":' * 5000, b"{}"])
def test_bytes_that_are_not_an_event_are_refused(data: bytes) -> None:
    with pytest.raises(InvalidEvent):
        read_event(data)


def test_an_event_that_is_too_large_is_refused_unread() -> None:
    with pytest.raises(InvalidEvent, match="at most"):
        read_event(b" " * (MAX_EVENT_BYTES + 1))


@given(data=st.binary(max_size=300))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    with pytest.raises(InvalidEvent):
        read_event(data)
