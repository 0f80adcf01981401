"""Values in a NUI window: what each may be, written down or bound to a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

BIND_OPTIONS = frozenset({"number_flags", "number_precision", "text_flags"})


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: its name for a message, and how to recognise it."""

    name: str
    accepts: Callable[[object], bool]


def is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and (is_int(value) or isfinite(value))


def is_text(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, Mapping) and set(value) == {"strref"} and is_int(value["strref"])
    )


def is_color(value: object) -> bool:
    if not isinstance(value, Mapping) or not {"r", "g", "b"} <= set(value) <= {"r", "g", "b", "a"}:
        return False
    return all(is_int(one) and 0 <= one <= 255 for one in value.values())


def has_numbers(*names: str) -> Callable[[object], bool]:
    def accepts(value: object) -> bool:
        return isinstance(value, Mapping) and set(value) == set(names) and all(map(is_number, value.values()))

    return accepts


def is_list_of(accepts: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(accepts, value))


def is_combo_entry(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_text(value[0]) and is_int(value[1])


def is_points(value: object) -> bool:
    return isinstance(value, list) and len(value) % 2 == 0 and all(map(is_number, value))


def is_title(value: object) -> bool:
    return is_text(value) or value is False  # false hides the title bar


def is_share(value: object) -> bool:
    return is_number(value) and 0 <= value <= 1  # type: ignore[operator]


BOOL = Kind("true or false", lambda value: isinstance(value, bool))
INT = Kind("a whole number", is_int)
NUMBER = Kind("a number", is_number)
SHARE = Kind("a number from 0 to 1", is_share)
TEXT = Kind("a text", is_text)
NAME = Kind("a text", lambda value: isinstance(value, str))
TITLE = Kind("text or false", is_title)
COLOR = Kind("a colour {r, g, b, a} of whole numbers from 0 to 255", is_color)
VEC = Kind("a point {x, y}", has_numbers("x", "y"))
RECT = Kind("a rectangle {x, y, w, h}", has_numbers("x", "y", "w", "h"))
POINTS = Kind("a list of pairs of numbers", is_points)
NUMBERS = Kind("a list of numbers", is_list_of(is_number))
TEXTS = Kind("a list of strings", is_list_of(is_text))
COMBO_ENTRIES = Kind("a list of [text, number] pairs", is_list_of(is_combo_entry))
ROW_COUNT = Kind(
    "a whole number, or a list with one value for each row", lambda value: is_int(value) or isinstance(value, list)
)


def bind_of(value: object) -> str | None:
    """The name that a value is bound to; None for a value that is written down."""
    if isinstance(value, Mapping) and isinstance(value.get("bind"), str) and set(value) <= {"bind", *BIND_OPTIONS}:
        return str(value["bind"])
    return None


def rows(value: object) -> Sequence[object]:
    """The values of a bind in a template, one for each row."""
    return value if isinstance(value, list) else [value]
