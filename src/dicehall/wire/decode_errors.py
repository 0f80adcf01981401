"""A JSON decoder's complaint, as a sentence for the sender of the JSON.

The decoder's own messages are written for programmers (``Expected `str` of length >= 1 - at `$.name` ``); they never
leave this program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from dicehall.wire.errors import clipped

# What a decoder may raise on bytes from outside.
DECODE_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

PLACE = re.compile(r" - at (?P<key>`key` in )?`\$(?P<path>[^`]*)`$")
BYTE = re.compile(r" \(byte \d+\)")
TYPES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
DECODERS = ("Expected ", "Invalid ", "Object ", "Can't ", "Unsupported ")  # how other messages of the decoder begin
UNITS = {"str": "characters", "array": "items", "object": "entries"}
PATTERNS = {"^[0-9a-f]{64}$": "must be 64 hexadecimal digits in lower case"}

Words: TypeAlias = Callable[[re.Match[str]], str]


def describe(error: Exception, whole: str, kind: Any = None) -> str:
    """The sentence for an error of a decoder; *whole* names what was decoded, *kind* is the type it should have had."""
    match error:
        case RecursionError():
            return f"{whole} is nested too deeply."
        case UnicodeDecodeError():
            return f"{whole} is not UTF-8 text."
        case msgspec.ValidationError():
            return clipped(describe_value(str(error), whole, kind))
    return clipped(f"{whole} is not valid JSON: {broken_json(error)}.")


def broken_json(error: Exception) -> str:
    message = BYTE.sub("", str(error)).removeprefix("JSON is malformed: ")
    return "it ends too early" if message == "Input data was truncated" else message.rstrip(".")


def describe_value(message: str, whole: str, kind: Any) -> str:
    """JSON that can be read, with something in it that is not as it should be."""
    found = PLACE.search(message)
    path = "" if found is None else found["path"].lstrip(".")
    said = PLACE.sub("", message)
    if (missing := re.fullmatch(r"Object missing required field `(.+)`", said)) is not None:
        return f"`{missing[1]}` is missing{f' in {place_of(path)}' if path else ''}."
    if said == "Expected `str` of length >= 1" and re.fullmatch(r"\w+", path):
        return f"The {path.replace('_', ' ')} can't be empty."
    if said.startswith("Invalid enum value") and (choices := choices_at(kind, path)):
        return f"{subject(path, whole)} must be one of {', '.join(choices)}."
    keys = found is not None and found["key"] is not None
    who = f"The keys of {place_of(path)}" if keys and path else subject(path, whole)
    for pattern, words in KINDS:
        if (match := re.fullmatch(pattern, said, re.DOTALL)) is not None:
            return f"{who} {words(match)}."
    return f"{who} is not valid." if said.startswith(DECODERS) else f"{said.rstrip('.')}."  # or a sentence of a game


def length(match: re.Match[str]) -> str:
    kind, sign, number = match.groups()
    if (sign, number) == (">=", "1"):
        return "can't be empty"
    most = {"<=": "can have at most", ">=": "must have at least"}.get(sign, "must have")
    unit = UNITS.get(kind, "items")
    return f"{most} {number} {unit[:-1] if number == '1' and unit != 'entries' else unit}"


def bound(match: re.Match[str]) -> str:
    words = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
    return f"must be {words[match[1]]} {match[2]}"


def type_words(match: re.Match[str]) -> str:
    names = match[1].split(" | ")
    wanted = [name for name in names if name != "null"] or names
    return f"must be {' or '.join(TYPES.get(name, name) for name in wanted)}"


KINDS: tuple[tuple[str, Words], ...] = (
    (r"Expected `(\w+)` of length (?:(<=|>=) )?(\d+)(?:, got \d+)?", length),
    (r"Expected `(?:int|float)` (<=|>=|<|>) (-?[\d.]+)", bound),
    (r"Expected `str` matching regex '(.*)'", lambda match: PATTERNS.get(match[1], "has the wrong format")),
    (r"Expected `([\w |]+)`, got .*", type_words),
    (r"Expected `([\w |]+)`", type_words),
    (r"(?:Integer value|Number) out of range", lambda _: "is a number that is too large"),
)


def subject(path: str, whole: str) -> str:
    place = place_of(path) if path else whole
    return place[0].upper() + place[1:]


def place_of(path: str) -> str:
    """``$.rules[...]`` as "the values of `rules`", and everything else as it is written: `bots[0].seat`."""
    before, values, after = path.partition("[...]")
    if not values:
        return f"`{path}`"
    place = f"the values of `{before}`" if before else "the values"
    return f"{place_of(after.lstrip('.'))} in {place}" if after else place


def choices_at(kind: Any, path: str) -> list[str]:
    """The texts that are allowed at a place of a type; none where it cannot be told."""
    for step in path.split("."):
        try:
            kind = get_type_hints(kind, include_extras=True).get(step)
        except (TypeError, NameError):
            return []
    return [str(choice) for choice in literals(kind)]


def literals(kind: Any) -> tuple[Any, ...]:
    origin = get_origin(kind)
    if origin is Literal:
        return get_args(kind)
    if origin is Annotated:
        return literals(get_args(kind)[0])
    if origin in (Union, UnionType):
        return tuple(choice for part in get_args(kind) if part is not NoneType for choice in literals(part))
    return ()
