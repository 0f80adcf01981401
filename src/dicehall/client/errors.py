"""What can go wrong between a program and a hall.

Refused       the hall, or the rules, said no: a code to act on, a sentence to read
Unreachable   no hall answered for as long as the client had patience
UnfairDice    dice that do not agree with the seal, or words that are not those you brought
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Refused(Exception):
    def __init__(self, code: str, sentence: str, **more: Any) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.more = more


class Unreachable(Exception):
    pass


class UnfairDice(Exception):
    pass


def refused(error: Mapping[str, Any]) -> Refused:
    """A refusal as it stands on the wire."""
    more = {key: value for key, value in error.items() if key not in ("code", "message")}
    return Refused(error["code"], error["message"], **more)
