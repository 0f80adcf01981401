"""JSON from outside, or what is wrong with it and where."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from dicehall.wire.decode_errors import broken_json
from dicehall.wire.errors import Invalid

PLACE = re.compile(r" \((byte \d+)\)")  # as msgspec ends what it says of broken text
TOKENS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*', re.DOTALL)  # strings, and numbers outside them
MOST_LEVELS = 100  # of objects and lists inside each other, in a record that is checked
NO_NUMBER = b"0.5"  # what no seat, face, time or rule can be


def read_document(text: bytes) -> Any:
    try:
        return decode(text)
    except msgspec.ValidationError:  # good JSON, with a number beyond what is read here
        return decode(TOKENS.sub(tamed, text))


def decode(text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.ValidationError:
        raise
    except UnicodeDecodeError:
        raise Invalid("malformed", f"byte {not_utf8(text)}", "This is not UTF-8 text.") from None
    except RecursionError:
        raise Invalid("malformed", "", "This document is nested too deeply.") from None
    except msgspec.DecodeError as broken:
        place = PLACE.search(str(broken))
        where = place[1] if place else f"byte {len(text)}"  # only truncated text has no place
        raise Invalid("malformed", where, f"This is not valid JSON: {broken_json(broken)}.") from None


def tamed(token: re.Match[bytes]) -> bytes:
    """The same, but for a number of enormous size, which then is as wrong where it stands as any other."""
    try:
        msgspec.json.decode(b"0" if token[0].startswith(b'"') else token[0])
    except msgspec.ValidationError:
        return NO_NUMBER.ljust(len(token[0]))
    except msgspec.DecodeError:
        pass  # no number at all: told with its place by who reads the whole
    return token[0]


def refuse_repeated_keys(text: bytes) -> None:
    """Refuse good JSON in which an object has a key twice: one reader takes the first, another the last."""
    try:
        json.loads(text, object_pairs_hook=once, parse_int=str, parse_float=str)
    except RecursionError:
        raise Invalid("malformed", "", "This document is nested too deeply.") from None


def refuse_deep_nesting(document: Any) -> None:
    """Refuse what only some readers can read: how deep they go differs."""
    inside = [document]
    for _ in range(MOST_LEVELS):
        values = (value for outer in inside for value in (outer.values() if isinstance(outer, dict) else outer))
        inside = [value for value in values if isinstance(value, dict | list)]
    if inside:
        raise Invalid("malformed", "", "This document is nested too deeply.")


def once(pairs: list[tuple[str, Any]]) -> None:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Invalid("malformed", twice[:24], "A key appears twice in one object.")


def not_utf8(text: bytes) -> int:
    """Where text stops being UTF-8; the decoder of JSON only knows the place inside one string."""
    try:
        text.decode()
    except UnicodeDecodeError as broken:
        return broken.start
    return 0
