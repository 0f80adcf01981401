"""What a seat may do in Aetharn, and why it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dicehall.games.farkle import Positions


class Word(StrEnum):
    ROLL = "roll"
    BANK = "bank"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Hold:
    dice: Positions  # in the current roll


Action: TypeAlias = Word | Hold


class Code(StrEnum):
    SEAT_IS_OUT = "seat_is_out"
    SEAT_IS_AWAY = "seat_is_away"
    NOTHING_ROLLED = "nothing_rolled"
    MUST_HOLD = "must_hold"
    BAD_INDEX = "bad_index"
    DOES_NOT_SCORE = "does_not_score"
    ONLY_BANK_LEFT = "only_bank_left"
    NO_CHANGE = "no_change"
    NOT_AWAY = "not_away"
