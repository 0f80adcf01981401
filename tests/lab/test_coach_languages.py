"""The coach in every language: the same texts with the same fields, none missing, none left over, none in English."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dicehall.core.game import Seat
from dicehall.games import catalogue
from dicehall.games.doordice.lines import EFFECTS
from dicehall.lab.advice import advise
from dicehall.lab.coach import Report
from dicehall.lab.descriptions import choice_text, situation
from dicehall.lab.explanations import explanations
from dicehall.lab.plain_numbers import chance_text, give_or_take, points_text, two_chances
from dicehall.lab.shown import show_report, show_worded_advice
from dicehall.lab.story import Narrator, headline, luck, skill
from dicehall.lab.texts import FOLDER, languages, texts
from dicehall.wire.answers import Replay
from dicehall.wire.record import read_record
from dicehall.wire.sentences import FIELD
from tests.lab.test_coach_reports import RECORDS, reported
from tests.languages import english_words
from tools import golden

PARTS = sorted(folder.name for folder in FOLDER.iterdir())
SOURCES = sorted(Path("src/dicehall/lab").glob("*.py"))
TRANSLATIONS = [(part, language) for part in PARTS for language in languages()[1:]]
# Keys that descriptions_doordice makes from an effect's name.
COMPUTED = {name for name, effect in EFFECTS.items() if effect.aimed or name == "power_vp"}

every_translation = pytest.mark.parametrize(("part", "language"), TRANSLATIONS)


def leaves(template: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(template, str):
        yield path, template
    else:
        for name, inner in template.items():
            yield from leaves(inner, f"{path}/{name}")


def fields(template: Any) -> set[str]:
    """What a text can fill in or choose by."""
    chosen = {text for path, text in leaves(template) if path.endswith("/by")}
    return chosen | {found[1] for _, text in leaves(template) for found in FIELD.finditer(text)}


@every_translation
def test_a_translation_has_every_text_and_names_only_known_fields(part: str, language: str) -> None:
    english, other = texts(part).templates, texts(part, language).templates
    assert dict(leaves(other)).keys() == dict(leaves(english)).keys()
    for key, template in other.items():
        assert fields(template) <= fields(english[key]), key
    assert (FOLDER / part / f"{language}.json").is_file()


@pytest.mark.parametrize("part", PARTS)
def test_every_text_is_used(part: str) -> None:
    literals = {
        node.value
        for file in SOURCES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(texts(part).templates) - literals - COMPUTED == set()


@pytest.mark.parametrize("part", PARTS)
def test_german_has_no_english_in_it(part: str) -> None:
    for path, text in leaves(json.loads((FOLDER / part / "de.json").read_text(encoding="utf-8"))):
        if not path.endswith("/by"):
            assert english_words(FIELD.sub("", text)) == [], text


def test_a_german_headline_ends_with_its_verb_whatever_the_reason() -> None:
    told = [text for path, text in leaves(texts("coach", "de").templates["why"]) if not path.endswith("/by")]
    assert "{why} verloren" in texts("coach", "de").templates["headline"]["lost"]["true"]
    assert [text for text in told if re.search("[:;,.]", text)] == []  # a clause would part the verb from its sentence


@pytest.mark.parametrize("key", catalogue())
def test_a_report_can_be_told_in_german(key: str) -> None:
    judged = judged_game(key)
    told = show_report(judged, "de")
    english = show_report(judged)
    said = [text for part in ("seats", "graph", "lines", "explained", "trust") for text in sentences(told[part])]
    assert len(said) > 20
    for text in said:
        assert "{" not in text
        assert english_words(text) == [], text
    assert told["seats"][0]["grade"] == english["seats"][0]["grade"]
    assert explanations(judged, "de").keys() == explanations(judged).keys()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", catalogue())
def test_dice_are_spoken_of_only_where_dice_are_rolled(key: str, language: str) -> None:
    told = show_report(judged_game(key), language)
    said = " ".join([*told["explained"].values(), told["trust"]])
    assert (re.search(r"\bdice\b|\broll|Würfel|gewürfelt|Wurf", said) is None) == (key == "mana"), said


@cache
def judged_game(key: str) -> Report:
    """The first golden game that is quick to judge and says enough."""
    files = [file for file in RECORDS if file.parent.name == key]
    reports = (reported(json.loads(file.read_bytes())) for file in files)
    return next(report for report in reports if report is not None and len(report.lines) > 8)


def sentences(value: Any) -> list[str]:
    """Texts for people: codes and moves are the same in every language, and names are no words."""
    if isinstance(value, dict):
        shown = {name: inner for name, inner in value.items() if name not in ("grade", "move", "best", "kind", "name")}
        return [text for inner in shown.values() for text in sentences(inner)]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in sentences(inner)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("key", catalogue())
def test_every_choice_in_golden_games_has_german_words(key: str) -> None:
    seen: set[str] = set()
    for record in [file for file in golden.records() if file.parent.name == key][:8]:
        seen |= worded(record)
    assert len(seen) > 5
    assert [text for text in sorted(seen) if english_words(text) or "{" in text] == []


def worded(record: Path) -> set[str]:
    """Every position and every choice of a game, in words."""
    replay = Replay(read_record(record.read_bytes(), catalogue()))
    game, names, seen = replay.game, [f"P{seat}" for seat in range(len(replay.record.names))], set()
    for step in replay.steps():
        awaited = game.awaits(step.state)
        for seat in sorted(getattr(awaited, "seats", ())):
            view = game.view(step.state, seat)
            seen.add(situation(game, view, seat, names, "de"))
            for action in game.choices(step.state, seat)[:6]:
                done = choice_text(game, view, seat, action, names, "de")
                seen |= {done.past, done.doing, done.label}
    return seen - {""}


def test_advice_has_german_words() -> None:
    game = catalogue()["wards"]()
    state = game.start(2)
    view, choices = game.view(state, Seat(0)), game.choices(state, Seat(0))
    shown = show_worded_advice(game, advise(game, 2, view, Seat(0), choices, "a"), view, Seat(0), ["Ann", "Bo"], "de")
    assert (shown["situation"], shown["best_words"]) == ("Beim Stand von 0:0", "Würfeln")


def test_numbers_are_written_as_germans_write_them() -> None:
    assert [chance_text(chance, "de") for chance in (0.001, 0.37, 0.999)] == ["unter 1 %", "37 %", "über 99 %"]
    assert two_chances(0.501, 0.502, "de") == ("50,1 %", "50,2 %")
    assert [points_text(share, "de") for share in (0.001, 0.01, 0.2)] == [
        "weniger als einen Prozentpunkt",
        "1 Prozentpunkt",
        "20 Prozentpunkte",
    ]
    assert give_or_take(0.015, "de") == " (± 3 Prozentpunkte)"


def test_german_speaks_to_a_person_or_about_one() -> None:
    judged = judged_game("wards")
    seat = judged.seats[0]
    you, other = Narrator(seat.name, True, "de"), Narrator(seat.name, language="de")
    assert headline(judged, seat, you).startswith(("Du ", "Von hier"))
    assert seat.name in headline(judged, seat, other)
    assert re.match(r"Du hattest|Das Glück", luck(seat, you))
    assert "Entscheidung" in skill(seat, "de")
