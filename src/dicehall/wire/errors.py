"""What can be wrong with bytes from outside.

    Invalid      a whole document is no record
    Malformed    one entry of a record has a wrong shape (a core Refused, at its place in the log)
"""

from __future__ import annotations

from enum import StrEnum

from dicehall.core.game import Refused


class Invalid(Exception):
    """A document that cannot be read: a code, the place, a sentence."""

    def __init__(self, code: str, path: str, sentence: str) -> None:
        super().__init__(f"{code} at {path}: {sentence}" if path else f"{code}: {sentence}")
        self.code = code
        self.path = path
        self.sentence = sentence


class Shape(StrEnum):
    MALFORMED = "malformed"


def malformed(sentence: str) -> Refused:
    return Refused(Shape.MALFORMED, sentence)
