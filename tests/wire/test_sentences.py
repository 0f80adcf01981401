"""Events as sentences: one for every event, none left over, and vectors that any other renderer is held against."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from dicehall.core.game import Event, Seat
from dicehall.games import catalogue
from dicehall.games.wards.rules import Held
from dicehall.wire.sentences import FIELD, STYLES, render, sentence, words_of
from tests.piglet import GAME as PIGLET

GAMES: dict[str, type[Any]] = {**catalogue(), "piglet": PIGLET}
VECTORS = json.loads((Path(__file__).parent / "sentences.json").read_text(encoding="utf-8"))
NAMES = ["Ann", "Bo", "Cy"]


def events_of(key: str) -> dict[str, type[Event]]:
    """Every event class that lives in the package of a game."""
    home = GAMES[key].__module__.rpartition(".")[0]
    for module in pkgutil.iter_modules(sys.modules[home].__path__):
        importlib.import_module(f"{home}.{module.name}")
    return {kind.__name__: kind for kind in subclasses(Event) if kind.__module__.startswith(f"{home}.")}


def subclasses(kind: type[Event]) -> Iterator[type[Event]]:
    """Dataclasses with slots are made twice; only the second, which its module names, counts."""
    for below in kind.__subclasses__():
        if getattr(sys.modules[below.__module__], below.__name__, None) is below:
            yield below
            yield from subclasses(below)


def templates(told: Any) -> Iterator[str]:
    """Every template under one event, whatever chooses between them."""
    if isinstance(told, str):
        yield told
    else:
        for name, inner in told.items():
            if name != "by":
                yield from templates(inner)


def choosers(told: Any) -> Iterator[str]:
    if isinstance(told, dict):
        yield told["by"]
        for name, inner in told.items():
            if name != "by":
                yield from choosers(inner)


every_game = pytest.mark.parametrize("key", GAMES)


@every_game
def test_every_event_has_a_sentence_and_none_is_left_over(key: str) -> None:
    told = {name for name in words_of(GAMES[key]) if name[0].isupper()}
    assert told == events_of(key).keys()
    assert len(told) >= 2


@every_game
def test_sentences_name_only_fields_that_their_event_has(key: str) -> None:
    for name, kind in events_of(key).items():
        known = {field.name for field in fields(kind)}
        words = words_of(GAMES[key])[name]
        used = [found[1] for template in templates(words) for found in FIELD.finditer(template)]
        for path in (*used, *choosers(words)):
            assert path.partition(".")[0] in known or path.isdecimal(), (name, path)


@every_game
def test_sentences_use_only_styles_that_there_are(key: str) -> None:
    for name in events_of(key):
        for template in templates(words_of(GAMES[key])[name]):
            left = FIELD.sub(lambda found: check_style(found[2]), template)
            assert not re.search(r"[{}]", left), template
            assert template.endswith((".", "!", "?")), template


def check_style(style: str | None) -> str:
    assert style is None or style in STYLES or style.count("|") == 1 or style.startswith("each ")
    return ""


@every_game
def test_a_choice_of_sentences_always_finds_one(key: str) -> None:
    """A choice by true and false is complete; any other needs a star."""
    for name in events_of(key):
        words = words_of(GAMES[key])[name]
        if isinstance(words, dict):
            assert "*" in words or {"true", "false"} <= words.keys(), name


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']}-{vector['told']['event']}")
def test_a_vector_reads_as_written(vector: Any) -> None:
    assert render(words_of(GAMES[vector["game"]]), vector["told"], vector["names"]) == vector["text"]


@pytest.mark.parametrize("key", catalogue())
def test_there_are_vectors_for_every_event_of_every_game(key: str) -> None:
    assert {vector["told"]["event"] for vector in VECTORS if vector["game"] == key} == events_of(key).keys()


@pytest.mark.parametrize("key", catalogue())
def test_a_vector_has_the_fields_of_its_event(key: str) -> None:
    kinds = events_of(key)
    for vector in VECTORS:
        if vector["game"] == key:
            names = {field.name for field in fields(kinds[vector["told"]["event"]])}
            assert vector["told"].keys() == names | {"event"}


@pytest.mark.parametrize("key", catalogue())
def test_no_sentence_lists_numbers_without_saying_whose_they_are(key: str) -> None:
    for vector in VECTORS:
        if vector["game"] == key:
            assert not re.search(r"[0-9]( [A-Za-z]+)?, [0-9]", vector["text"]), vector["text"]


STYLED = [
    ("{n}", {"n": 5}, "5"),
    ("{n}", {"n": True}, "true"),
    ("{n}", {"n": None}, "null"),
    ("{n:name}", {"n": 1}, "Bo"),
    ("{n:name}", {"n": None}, "nobody"),
    ("{n:names}", {"n": []}, "nobody"),
    ("{n:names}", {"n": [2]}, "Cy"),
    ("{n:names}", {"n": [0, 1]}, "Ann and Bo"),
    ("{n:names}", {"n": [0, 1, 2]}, "Ann, Bo and Cy"),
    ("{n:dice}", {"n": [6, 1]}, "6 1"),
    ("{n:cards}", {"n": 0}, "1"),
    ("{n:each has}", {"n": [7, 0, None]}, "Ann has 7, Bo has 0 and Cy has null"),
    ("{n:each has}", {"n": [7, 0]}, "Ann has 7 and Bo has 0"),
    ("{n:each rolls a}", {"n": [6, 1], "seats": [2, 0]}, "Cy rolls a 6 and Ann rolls a 1"),
    ("{0:name} {n.0}, {1:name} {n.1}", {"n": [6, 1]}, "Ann 6, Bo 1"),
    ("{n} {n:point|points}", {"n": 1}, "1 point"),
    ("{n} {n:point|points}", {"n": 0}, "0 points"),
    ("{n} {n:point|points}", {"n": -1}, "-1 points"),
    ("{n.inner.deep}", {"n": {"inner": {"deep": 3}}}, "3"),
    ({"by": "n", "1": "one", "*": "many"}, {"n": 1}, "one"),
    ({"by": "n", "1": "one", "*": "many"}, {"n": 2}, "many"),
    ({"by": "n", "true": "yes", "false": "no"}, {"n": False}, "no"),
    ({"by": "n", "null": "none", "*": {"by": "m", "x": "{n} x", "*": "{n} other"}}, {"n": 4, "m": "x"}, "4 x"),
]


@pytest.mark.parametrize(("words", "told", "text"), STYLED)
def test_every_style(words: Any, told: Any, text: str) -> None:
    assert render({"E": words}, {"event": "E", **told}, NAMES) == text


def test_a_name_that_looks_like_a_template_is_only_a_name() -> None:
    assert render({"E": "{n:name}."}, {"event": "E", "n": 0}, ["{n}"]) == "{n}."


def test_a_sentence_is_made_from_the_event_itself() -> None:
    assert sentence(GAMES["wards"](), Held(Seat(1), 1, 7, True), NAMES) == "Bo holds 1 and has 7."
