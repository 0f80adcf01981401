"""The coach's sentences in every language: templates in ``words/<part>/<language>.json``, filled like those of events.

A part is what one module speaks of: the report itself (``coach``), or a game. English is the language of the terminal;
people at the page choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dicehall.wire.languages import ENGLISH, languages_in
from dicehall.wire.sentences import fill, words_in

FOLDER = Path(__file__).parent / "words"


@dataclass(frozen=True, slots=True)
class Texts:
    """The templates of one part in one language."""

    templates: Mapping[str, Any]

    def say(self, key: str, **fields: Any) -> str:
        return fill(self.templates[key], fields)


@cache
def texts(part: str, language: str = ENGLISH) -> Texts:
    return Texts(words_in(FOLDER / part, language))


@cache
def languages() -> tuple[str, ...]:
    """The languages that the coach speaks, English first."""
    return languages_in(FOLDER / "coach")
