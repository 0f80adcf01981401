"""Events as sentences, from the templates in each game's ``words`` folder.

A template is text with fields: ``{seat:name}`` a seat's name, ``{0:name}`` that of the first seat, ``{players:names}``
several, ``{faces:dice}`` values with spaces, ``{scores:each has}`` a value for each seat ("Ann has 7 and Bo has 0"; the
event's ``seats``, or all), ``{unit:cards}`` a number from 1, ``{scores:final}`` the highest first ("109-85"),
``{n:point|points}`` one or many, ``{result.points}`` a field of a field, ``{leagues.0}`` an item of a list, ``{face}``
the value itself. An object chooses a template by a field: ``{"by": "in_time", "true": ..., "false": ...}``, ``"*"``
being any other value.

``words/<language>.json`` has the same templates in another language. What code says in English by itself can be said
otherwise there: ``lists`` has the words between the last two of a list and for an empty one, and the sign between
scores; ``terms`` has texts that events bring along, such as the names of leagues.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from dicehall.core.game import AnyGame, Event
from dicehall.wire.languages import ENGLISH
from dicehall.wire.shown import show_event

FIELD = re.compile(r"\{([a-z_.A-Z0-9]+)(?::([^}]*))?\}")
LISTS: Mapping[str, str] = {"and": "and", "nobody": "nobody", "to": "-"}
NO_WORDS: Mapping[str, Any] = {}


def words_of(game: type[Any], language: str = ENGLISH) -> Mapping[str, Any]:
    """The templates of a game, from the folder its rules live in; in English where it does not speak a language."""
    return words_in(Path(str(sys.modules[game.__module__].__file__)).parent / "words", language)


@cache
def words_in(folder: Path, language: str) -> Mapping[str, Any]:
    file = folder / f"{language}.json"
    words: Mapping[str, Any] = msgspec.json.decode((file if file.is_file() else folder / "en.json").read_bytes())
    return words


def sentence(game: AnyGame, event: Event, names: Sequence[str], language: str = ENGLISH) -> str:
    return render(words_of(type(game), language), show_event(event), names)


def render(words: Mapping[str, Any], told: Mapping[str, Any], names: Sequence[str]) -> str:
    """Render an event in its wire form as a sentence."""
    return fill(words[told["event"]], told, names, words)


def fill(template: Any, told: Mapping[str, Any], names: Sequence[str] = (), words: Mapping[str, Any] = NO_WORDS) -> str:
    """A template, or the one that is chosen by a field, with its fields filled in."""
    while isinstance(template, dict):
        value = plain(lookup(told, template["by"]))
        template = template[value] if value in template else template["*"]
    return FIELD.sub(lambda found: filled(told, found[1], found[2], names, words), template)


def lookup(told: Mapping[str, Any], path: str) -> Any:
    if path.isdecimal():
        return int(path)
    value: Any = told
    for name in path.split("."):
        value = value[int(name)] if isinstance(value, list | tuple) else value[name]
    return value


def filled(
    told: Mapping[str, Any], path: str, style: str | None, names: Sequence[str], words: Mapping[str, Any]
) -> str:
    value = lookup(told, path)
    if style is None:
        text = plain(value)
        return str(words.get("terms", {}).get(text, text))
    if "|" in style:
        one, many = style.split("|")
        return one if value == 1 else many
    if style.startswith("each "):
        seats = told.get("seats", range(len(value)))
        each = [f"{names[seat]}{style[4:]} {plain(one)}" for seat, one in zip(seats, value, strict=True)]
        return joined(each, words)
    return STYLES[style](value, names, words)


def plain(value: Any) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def name_of(seat: Any, names: Sequence[str], words: Mapping[str, Any] = NO_WORDS) -> str:
    return names[seat] if seat is not None else list_word("nobody", words)


def names_of(seats: Any, names: Sequence[str], words: Mapping[str, Any] = NO_WORDS) -> str:
    return joined([names[seat] for seat in seats], words)


def joined(told: Sequence[str], words: Mapping[str, Any] = NO_WORDS) -> str:
    if len(told) < 2:
        return told[0] if told else list_word("nobody", words)
    return f"{', '.join(told[:-1])} {list_word('and', words)} {told[-1]}"


def list_word(name: str, words: Mapping[str, Any]) -> str:
    return str(words.get("lists", LISTS).get(name, LISTS[name]))


STYLES: dict[str, Callable[[Any, Sequence[str], Mapping[str, Any]], str]] = {
    "name": name_of,
    "names": names_of,
    "dice": lambda faces, *_: " ".join(map(plain, faces)),
    "cards": lambda number, *_: plain(number + 1),
    "final": lambda scores, _, words: list_word("to", words).join(map(plain, sorted(scores, reverse=True))),
}
