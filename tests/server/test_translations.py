"""Refusals in German: every sentence that somebody at the page can meet has its translation, and none is left over."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicehall.server.languages import FOLDER, Pattern, languages, preview_text, translated
from dicehall.wire.sentences import FIELD
from tests.languages import english_words
from tests.wire.test_decode_errors import WRONG

SOURCE = Path("src/dicehall")
# Where sentences are made that somebody at the page can meet.
REACHABLE = (
    "core/fold.py core/house.py games/*/rules.py games/*/turn.py games/*/scoring.py table/*.py hall/*.py server/*.py "
    "store/reader.py store/postgres.py wire/documents.py wire/entries.py wire/record.py wire/decode_errors.py "
    "dice/challenge.py dice/checking.py launch/checker.py launch/checking.py launch/mana_bot.py "
    "launch/reporting.py launch/worker.py nostr/http_auth.py"
)
# Doors of the server that nobody at the page uses: those of operators, of other programs, and what is below HTTP.
UNSEEN = (
    "bodies doordice front http_protocol metrics nwn openapi operating preview_pictures previews seeds tenthousand "
    "wards webpage"
)
# Sentences that nobody is shown: of logs, of programming errors, of matches over Nostr, of command lines.
OTHERS = (
    "A table is opened once.",
    "The journal is closed.",
    "This is already in use ({}).",
    "This cannot be stored: {}.",
    "{} is damaged: acts of table {} are missing.",
    "{} is used by another Dicehall server.",
    "The server was down, so nobody could reconnect.",
    "The journal of {} does not begin with its opening.",
    "The server is restarting. Reconnect in a moment.",
    "--mana-bot must be",
    "Expected",
    "Hall tables pick; matches over Nostr commit and reveal.",
    "A commitment must be 64 hex digits in lower case.",
    "A reveal must have 64 hex digits of secret",
    "This reveal does not match its commitment.",
    "A match must be played with the token that was revealed first.",
    "A match can have at most {} rounds",
    "{} is a rule of hall tables; a match over Nostr cannot have it.",
    "{}.",
    "{} {}.",
)
TRANSLATIONS = languages()[1:]


def files() -> Iterator[Path]:
    for pattern in REACHABLE.split():
        found = sorted(SOURCE.glob(pattern))
        assert found, pattern
        yield from (file for file in found if file.parent.name != "server" or file.stem not in UNSEEN.split())


def sentences(file: Path) -> Iterator[str]:
    """The sentences in a module, with {} for what is filled in."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    skipped = {id(part) for node in ast.walk(tree) for part in inner_parts(node)}
    for node in ast.walk(tree):
        text = text_of(node)
        if text is not None and id(node) not in skipped and re.fullmatch(r"[A-Z{`-].* .*([.?!]|: {})", text, re.DOTALL):
            yield text


def inner_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, and what stands within the text of an f-string."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        if node.body and isinstance(node.body[0], ast.Expr):
            yield node.body[0].value
    elif isinstance(node, ast.JoinedStr):
        yield from (part for value in node.values for part in ast.walk(value))


def text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(value.value) if isinstance(value, ast.Constant) else "{}" for value in node.values)
    return None


def shape(text: str) -> re.Pattern[str]:
    """A sentence of the source as what recognises its translations' English: a part may be spelled out there."""
    return re.compile(".*?".join(re.escape(part) for part in text.split("{}")), re.DOTALL)


SENTENCES = sorted(
    {text for file in files() for text in sentences(file) if text not in OTHERS and not text.startswith(OTHERS[:-2])}
)
COMPOSED = ("{who} ", "{n} rolls: ")  # by wire/decode_errors and launch/checking, from parts

every_translation = pytest.mark.parametrize("language", TRANSLATIONS)


def words(language: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return found


@every_translation
def test_every_sentence_of_the_source_has_its_translation(language: str) -> None:
    known = words(language)["sentences"]
    missing = [text for text in SENTENCES if not any(shape(text).fullmatch(key) for key in known)]
    assert missing == []
    assert len(SENTENCES) > 150


@every_translation
def test_no_translation_is_left_over(language: str) -> None:
    shapes = [shape(text) for text in SENTENCES]
    own = [key for key in words(language)["sentences"] if not key.startswith(COMPOSED)]
    assert [key for key in own if not any(one.fullmatch(key) for one in shapes)] == []


@every_translation
def test_translations_have_the_fields_of_their_english(language: str) -> None:
    for texts in words(language).values():
        for english, other in texts.items():
            assert fields(other) == fields(english), english
            assert not re.search(r"[{}]", FIELD.sub("", other)), other


def fields(template: str) -> set[str]:
    return {found[1] for found in FIELD.finditer(template)}


@every_translation
def test_every_translation_is_found_by_its_own_english(language: str) -> None:
    """No sentence is taken for another one, and what is filled in comes through."""
    for english, other in words(language)["sentences"].items():
        names = [found[1] for found in FIELD.finditer(english)]
        filled = {name: f"<{name}>" for name in names}
        sentence = FIELD.sub(lambda found, filled=filled: filled[found[1]], english)  # type: ignore[misc]
        assert not names or Pattern.of(english).values(sentence) == filled
        said = translated(sentence, language)
        assert said != sentence
        assert all(value in said for name, value in filled.items() if f"{{{name}}}" in other), english


def preview_texts() -> set[str]:
    """The texts that the modules of previews have translated."""
    server = FOLDER.parent
    trees = [ast.parse((server / f"{name}.py").read_text("utf-8")) for name in ("previews", "preview_pictures")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {ast.literal_eval(call.args[0]) for call in calls if getattr(call.func, "id", "") == "preview_text"}


@every_translation
def test_every_text_of_a_preview_has_its_translation_and_none_is_left_over(language: str) -> None:
    assert set(words(language)["previews"]) == preview_texts()


def test_a_name_in_a_preview_is_never_taken_for_a_field_or_another_sentence() -> None:
    names = {"winner": "{loser} beats {n}", "loser": "A draw"}
    said = preview_text("{winner} beats {loser} {score}", "de", score="6-0", **names)
    assert said == "{loser} beats {n} schlägt A draw 6-0"


def test_german_has_no_english_left_in_it() -> None:
    for texts in words("de").values():
        for text in texts.values():
            assert english_words(FIELD.sub("", text).replace("true oder false", "").replace("mit all ", "")) == [], text


@pytest.mark.parametrize("sentence", [sentence for _, _, sentence in WRONG if not sentence.startswith("The old")])
def test_what_is_wrong_with_json_is_said_in_german(sentence: str) -> None:
    said = translated(sentence, "de")
    assert said != sentence
    assert english_words(said.replace("true oder false", "")) == []


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("That seat is taken by Ann.", "Auf diesem Platz sitzt Ann."),
        ("Seat 2 is already away.", "Platz 2 ist schon abwesend."),
        ("The record has 1 entries, but says that the game ended after 3.", "Die Aufzeichnung hat 1 Eintrag, nennt"),
        ("The name Ann, or one that looks like it, is taken.", "Der Name Ann, oder einer, der ihm ähnlich sieht, ist"),
        (
            "These dice do not match the roll: it needs 5 dice with 6 sides.",
            "Diese Würfel passen nicht zum Wurf: Er braucht 5",
        ),
        ("The rules refuse entry 4: The game is over.", "Die Regeln lehnen Eintrag 4 ab: Das Spiel ist vorbei."),
        ("Nobody ever said this.", "Nobody ever said this."),
        ("That seat is taken by {name}. " * 40, "That seat is taken by {name}."),  # too long to be looked for
    ],
)
def test_a_sentence_keeps_what_is_filled_in(english: str, german: str) -> None:
    assert translated(english, "de").startswith(german)
    assert translated(english, "en") == english
