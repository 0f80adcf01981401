"""What is wrong with JSON from outside is said in sentences that name the field, not in the decoder's own words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from dicehall.games import catalogue
from dicehall.wire.decode_errors import DECODE_ERRORS, describe
from dicehall.wire.errors import LONGEST, Invalid
from dicehall.wire.record import parse_record, read_record


class Item(Struct):
    seat: Annotated[int, Meta(ge=0, le=63)]


class Body(Struct, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=24)] = "x"
    old_password: Annotated[str, Meta(min_length=1)] = "x"
    id: Annotated[str, Meta(min_length=22)] | None = None
    seats: Annotated[int, Meta(ge=1, le=64)] | None = None
    share: Annotated[float, Meta(gt=0)] = 1.0
    hints: bool = False
    rules: Annotated[dict[str, int | None], Meta(max_length=2)] = {}
    items: Annotated[list[Item], Meta(max_length=1)] = []
    pair: tuple[int, int] = (0, 0)
    commitment: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None
    code: Annotated[str, Meta(pattern="^x$")] = "x"
    way: Literal["public", "link"] | None = None


class Needed(Struct):
    game: str


WRONG: list[tuple[type[Struct], str, str]] = [
    (Body, '{"name": ""}', "The name can't be empty."),
    (Body, '{"old_password": ""}', "The old password can't be empty."),
    (Body, '{"name": 7}', "`name` must be text."),
    (Body, '{"name": null}', "`name` must be text."),
    (Body, '{"name": "' + "a" * 25 + '"}', "`name` can have at most 24 characters."),
    (Body, '{"id": "short"}', "`id` must have at least 22 characters."),
    (Body, '{"seats": "two"}', "`seats` must be a whole number."),
    (Body, '{"seats": 1.5}', "`seats` must be a whole number."),
    (Body, '{"seats": true}', "`seats` must be a whole number."),
    (Body, '{"seats": 0}', "`seats` must be at least 1."),
    (Body, '{"seats": 65}', "`seats` must be at most 64."),
    (Body, '{"seats": 1e999}', "`seats` is a number that is too large."),
    (Body, '{"share": 0}', "`share` must be more than 0.0."),
    (Body, '{"share": "x"}', "`share` must be a number."),
    (Body, '{"hints": 1}', "`hints` must be true or false."),
    (Body, '{"rules": []}', "`rules` must be an object."),
    (Body, '{"rules": {"goal": "x"}}', "The values of `rules` must be a whole number."),
    (Body, '{"rules": {"a": 1, "b": 1, "c": 1}}', "`rules` can have at most 2 entries."),
    (Body, '{"items": {}}', "`items` must be a list."),
    (Body, '{"items": [1]}', "`items[0]` must be an object."),
    (Body, '{"items": [{}]}', "`seat` is missing in `items[0]`."),
    (Body, '{"items": [{"seat": -1}]}', "`items[0].seat` must be at least 0."),
    (Body, '{"items": [{"seat": 1}, {"seat": 2}]}', "`items` can have at most 1 item."),
    (Body, '{"pair": [1]}', "`pair` must have 2 items."),
    (Body, '{"commitment": "no"}', "`commitment` must be 64 hexadecimal digits in lower case."),
    (Body, '{"code": "no"}', "`code` has the wrong format."),
    (Body, '{"way": "x"}', "`way` must be one of public, link."),
    (Body, "[]", "The body must be an object."),
    (Body, '"x"', "The body must be an object."),
    (Needed, "{}", "`game` is missing."),
    (Body, "{", "The body is not valid JSON: it ends too early."),
    (Body, "{} x", "The body is not valid JSON: trailing characters."),
    (Body, "{a: 1}", "The body is not valid JSON: object keys must be strings."),
    (Body, '{"x": ' + "[" * 5000, "The body is nested too deeply."),
]


@pytest.mark.parametrize(("kind", "text", "sentence"), WRONG, ids=[text[:40] for _, text, _ in WRONG])
def test_what_is_wrong_is_said_in_a_sentence_that_names_the_field(kind: Any, text: str, sentence: str) -> None:
    with pytest.raises(DECODE_ERRORS) as wrong:
        msgspec.json.decode(text.encode(), type=kind)
    assert describe(wrong.value, "The body", kind) == sentence


def test_bytes_that_are_not_text_are_named_as_such() -> None:
    with pytest.raises(UnicodeDecodeError) as wrong:
        msgspec.json.decode(b'{"name": "\xff"}', type=Body)
    assert describe(wrong.value, "The message") == "The message is not UTF-8 text."


def test_an_unexpected_message_of_the_decoder_is_not_passed_on() -> None:
    assert describe(msgspec.ValidationError("Expected `frozendict` - at `$.rules`"), "The body") == (
        "`rules` must be frozendict."
    )
    strange = msgspec.ValidationError("Invalid something or other - at `$.rules`")
    assert describe(strange, "The body") == "`rules` is not valid."


def test_a_long_name_of_a_field_is_shortened() -> None:
    wrong = msgspec.ValidationError(f"Expected `str`, got `int` - at `$.{'a' * 5000}`")
    assert len(describe(wrong, "The body")) <= LONGEST


RECORD: dict[str, Any] = {"dicehall": 1, "game": "wards", "seats": ["Ann", "Bo"], "entries": []}
HEADERS: list[tuple[dict[str, Any], str, str]] = [
    ({"seal": 7}, "seal", "The seal must be an object."),
    ({"seal": {}}, "seal", "`table` is missing."),
    ({"seal": {"table": "t", "s0": 7, "words": []}}, "seal", "`s0` must be text."),
    ({"seal": {"table": "t", "s0": "a", "words": [1]}}, "seal", "`words[0]` must be text."),
    ({"game": "mana", "match": 7}, "match", "`match` must be an object."),
]


@pytest.mark.parametrize(("changed", "path", "sentence"), HEADERS, ids=[str(one[0])[:50] for one in HEADERS])
def test_the_header_of_a_record_is_refused_in_a_sentence(changed: dict[str, Any], path: str, sentence: str) -> None:
    with pytest.raises(Invalid) as invalid:
        parse_record(RECORD | changed, catalogue())
    assert (invalid.value.code, invalid.value.path) == ("malformed", path)
    assert invalid.value.sentence == sentence


@pytest.mark.parametrize("text", [b"{", b"{]", b"nul", b'{"a" 1}', b"1 2", b'"\\x"', b""])
def test_a_record_that_is_not_json_says_so_and_where(text: bytes) -> None:
    with pytest.raises(Invalid) as invalid:
        read_record(text, catalogue())
    assert invalid.value.path.startswith("byte ")
    assert invalid.value.sentence.startswith("This is not valid JSON: ")
    assert "malformed" not in invalid.value.sentence
