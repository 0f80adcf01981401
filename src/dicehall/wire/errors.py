"""Errors in bytes from outside.

Invalid      a document is not a record
Malformed    one entry of a record has a wrong shape (a core Refused, at its place in the log)
"""

from __future__ import annotations

from enum import StrEnum

from dicehall.core.game import Refused

LONGEST = 240  # characters of a message or a place


class Invalid(Exception):
    """A document that cannot be read: a code, the place, a sentence."""

    def __init__(self, code: str, path: str, sentence: str) -> None:
        self.code = code
        self.path = clipped(path)  # "" is the whole document
        self.sentence = clipped(sentence)
        super().__init__(f"{code} at {self.path}: {self.sentence}" if path else f"{code}: {self.sentence}")


class Shape(StrEnum):
    MALFORMED = "malformed"


def clipped(text: str) -> str:
    """Short enough to read, however long the words that somebody else put into it."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"


def malformed(sentence: str) -> Refused:
    return Refused(Shape.MALFORMED, sentence)
