"""What a seat may do in Dice 10 000, and why it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from dicehall.games.farkle import Grouping


class Word(StrEnum):
    ROLL = "roll"
    YIELD = "yield"


@dataclass(frozen=True, slots=True)
class Lock:
    subsets: Grouping  # each the faces of one row, in any order

    unreadable: ClassVar[Lock]  # what is no list of lists of whole numbers locks nothing


Lock.unreadable = Lock(())

Action: TypeAlias = Word | Lock


class Code(StrEnum):
    NOTHING_ROLLED = "nothing_rolled"
    MUST_LOCK = "must_lock"
    BAD_LOCK = "bad_lock"
    DOES_NOT_SCORE = "does_not_score"
    NOT_IN_ROLL = "not_in_roll"
    BELOW_OPENING = "below_opening"
