"""Every language of a game says the same with the same fields, and a header chooses between languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dicehall.core.game import Event
from dicehall.games import catalogue
from dicehall.wire.answers import Replay
from dicehall.wire.languages import chosen_language, languages_in
from dicehall.wire.record import read_record
from dicehall.wire.sentences import FIELD, LISTS, render, sentence, words_of
from tests.languages import english_words
from tests.piglet import GAME as PIGLET
from tests.wire.test_sentences import VECTORS, check_style
from tools import golden

GAMES = catalogue()
FOLDERS = {key: Path(words_file) for key, words_file in ((key, f"src/dicehall/games/{key}/words") for key in GAMES)}
OTHERS = [(key, language) for key, folder in FOLDERS.items() for language in languages_in(folder)[1:]]

every_translation = pytest.mark.parametrize(("key", "language"), OTHERS)


def leaves(words: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a words file, with the way to it."""
    if isinstance(words, str):
        yield path, words
    else:
        for name, inner in words.items() if isinstance(words, dict) else enumerate(words):
            yield from leaves(inner, f"{path}/{name}")


def texts(key: str, language: str) -> dict[str, str]:
    """Without what only translations have."""
    words = {name: inner for name, inner in words_of(GAMES[key], language).items() if name not in ("lists", "terms")}
    return dict(leaves(words))


@pytest.mark.parametrize("key", GAMES)
def test_every_game_speaks_the_same_languages(key: str) -> None:
    assert languages_in(FOLDERS[key]) == languages_in(FOLDERS["wards"])
    assert "de" in languages_in(FOLDERS[key])


@every_translation
def test_a_translation_has_every_text_and_none_left_over(key: str, language: str) -> None:
    assert texts(key, language).keys() == texts(key, "en").keys()


@every_translation
def test_a_translation_names_the_same_fields(key: str, language: str) -> None:
    english = texts(key, "en")
    for path, text in texts(key, language).items():
        if path.endswith("/by"):
            assert text == english[path], path
        assert fields(text) == fields(english[path]), path
        left = FIELD.sub(lambda found: check_style(found[2]), text)
        assert not re.search(r"[{}]", left), text


def fields(template: str) -> set[str]:
    return {found[1] for found in FIELD.finditer(template)}


@every_translation
def test_a_translation_has_words_for_lists(key: str, language: str) -> None:
    assert words_of(GAMES[key], language)["lists"].keys() == LISTS.keys()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']}-{vector['told']['event']}")
def test_every_sentence_can_be_told_in_german(vector: Any) -> None:
    assert render(words_of(GAMES[vector["game"]], "de"), vector["told"], vector["names"]) == vector["german"]
    names = [f"P{seat}" for seat in range(len(vector["names"]))]
    text = render(words_of(GAMES[vector["game"]], "de"), vector["told"], names)
    assert text != render(words_of(GAMES[vector["game"]]), vector["told"], names)
    assert "{" not in text
    assert english_words(text) == []


@pytest.mark.parametrize("key", GAMES)
def test_golden_games_can_be_told_in_german(key: str) -> None:
    told = 0
    for record in golden.records():
        if record.parent.name == key:
            for event, names, game in events_of(record):
                text = sentence(game, event, names, "de")
                assert text.endswith((".", "!", "?")), text
                told += 1
    assert told > 100


def events_of(record: Path) -> Iterator[tuple[Event, tuple[str, ...], Any]]:
    replay = Replay(read_record(record.read_bytes(), GAMES))
    for step in replay.steps():
        for event in step.events:
            yield event, replay.record.names, replay.record.game


def test_names_of_leagues_are_translated_with_their_sentence() -> None:
    told = {"event": "ArmyShown", "seat": 0, "league_name": "Fire"}
    assert render(words_of(GAMES["mana"], "de"), told, ["Ann"]) == "Ann führt eine Armee der Liga Feuer."


def test_lists_end_with_the_word_of_their_language() -> None:
    words = {"E": "{n:names}, {m:name}", "lists": {"and": "und", "nobody": "niemand"}}
    assert render(words, {"event": "E", "n": [0, 1], "m": None}, ["Ann", "Bo"]) == "Ann und Bo, niemand"
    assert render(words, {"event": "E", "n": [], "m": 0}, ["Ann", "Bo"]) == "niemand, Ann"


def test_a_game_without_a_language_speaks_english() -> None:
    assert words_of(PIGLET, "de") == words_of(PIGLET)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT", "de"),
        ("DE", "de"),
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr, de;q=0.5", "de"),
        ("fr", "en"),
        ("en;q=0.2, de;q=0.7", "de"),
        ("de;q=0", "en"),
        ("../../de", "en"),
        ("*", "en"),
        ("de;q=x, ;;;,", "en"),
        (",".join(["fr"] * 50 + ["de"]), "en"),
    ],
)
def test_a_header_chooses_a_known_language(header: str, language: str) -> None:
    assert chosen_language(header, ("en", "de")) == language


def test_languages_are_found_by_their_files(tmp_path: Path) -> None:
    for name in ("en.json", "fr.json", "de.json", "notes.txt", "README"):
        (tmp_path / name).touch()
    (tmp_path / "nl").mkdir()
    assert languages_in(tmp_path) == ("en", "de", "fr", "nl")
