"""Refusals and notes in the reader's language: translated at the edge, by their English.

Everything below the server says its sentences in English, and codes are the same in every language. A file
``words/<language>.json`` has the same ``sentences`` in another language, each under its English with names for what is
filled in: ``"You already have {n} open tables."``. What is filled in stays as it is, unless it is one of the ``terms``.
A sentence that a language lacks stays English. ``previews`` holds the texts in previews of links, as templates: they
name players, so they are translated before anything is filled in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import HTTPConnection

from dicehall.wire.languages import ENGLISH, chosen_language, languages_in
from dicehall.wire.sentences import FIELD, fill

FOLDER = Path(__file__).parent / "words"
LONGEST = 400  # characters of a sentence that is looked for
LONGEST_WISH = 200  # characters of a header that are read


@dataclass(frozen=True, slots=True)
class Pattern:
    """An English template as what recognises its sentences, in one pass whatever somebody put into them."""

    parts: tuple[str, ...]  # the text before, between and after what is filled in
    names: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Pattern:
        return cls(tuple(FIELD.split(text)[::3]), tuple(found[1] for found in FIELD.finditer(text)))

    def values(self, text: str) -> dict[str, str] | None:
        """What was filled in; None where the text is another one."""
        first, *middle, last = self.parts
        at, end = len(first), len(text) - len(last)
        if not (text.startswith(first) and text.endswith(last)):
            return None
        found = []
        for part in middle:
            if (next_at := text.find(part, at + 1, end)) < 0:
                return None
            found.append(text[at:next_at])
            at = next_at + len(part)
        return dict(zip(self.names, (*found, text[at:end]), strict=True)) if at < end else None


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """Texts of one kind, by their English."""

    fixed: Mapping[str, str]
    patterns: tuple[tuple[Pattern, str], ...]  # with something filled in; the most words of their own first

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Phrasebook:
        open_ones = sorted((text for text in texts if FIELD.search(text)), key=lambda text: -len(FIELD.sub("", text)))
        patterns = tuple((Pattern.of(text), texts[text]) for text in open_ones)
        return cls({text: other for text, other in texts.items() if not FIELD.search(text)}, patterns)

    def find(self, text: str) -> tuple[str, dict[str, str]] | None:
        """The template of a text in the other language, and what is filled in."""
        if (fixed := self.fixed.get(text)) is not None:
            return fixed, {}
        for pattern, template in self.patterns:
            if (values := pattern.values(text)) is not None:
                return template, values
        return None


@dataclass(frozen=True, slots=True)
class Translation:
    sentences: Phrasebook
    terms: Phrasebook
    previews: Mapping[str, str]

    def sentence(self, text: str) -> str:
        return self.said(self.sentences, text)

    def said(self, book: Phrasebook, text: str) -> str:
        found = book.find(text) if len(text) <= LONGEST else None
        if found is None:
            return text
        return fill(found[0], {name: self.value(value) for name, value in found[1].items()})

    def value(self, text: str) -> str | int:
        """What is filled in: a number that a template can count with, a term or a sentence in the other language."""
        if text.isascii() and text.isdecimal() and str(int(text[:15])) == text:
            return int(text)
        return self.sentence(text) if text.endswith(".") else self.said(self.terms, text)


@cache
def languages() -> tuple[str, ...]:
    """The languages of this server, English first."""
    return languages_in(FOLDER)


@cache
def translation(language: str) -> Translation:
    words: dict[str, Any] = msgspec.json.decode((FOLDER / f"{language}.json").read_bytes())
    return Translation(Phrasebook.of(words["sentences"]), Phrasebook.of(words["terms"]), words.get("previews", {}))


def translated(text: str, language: str) -> str:
    """A sentence, or a term such as the name of a level, in another language."""
    if language == ENGLISH:
        return text
    known = translation(language)
    said = known.sentence(text)
    return said if said != text else known.said(known.terms, text)


def preview_text(template: str, language: str, **fields: object) -> str:
    """A text of a preview in another language, with its fields filled in, whatever people typed into them."""
    known = {} if language == ENGLISH else translation(language).previews
    return fill(known.get(template, template), fields)


@lru_cache(maxsize=64)
def language_in(wishes: str) -> str:
    return chosen_language(wishes, languages())


def language_of(connection: HTTPConnection) -> str:
    """What a request asks for: by ``?language=``, or its header. Most requests have no query, and none is read then."""
    asked = connection.query_params.get("language") if connection.scope.get("query_string") else None
    return language_in((asked or connection.headers.get("accept-language", ""))[:LONGEST_WISH])
