"""What a seat may ask for: a pick at a hall table, a commitment and its reveal in a match."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Pick:
    unit: int


@dataclass(frozen=True, slots=True)
class Commit:
    hash: str


@dataclass(frozen=True, slots=True)
class Reveal:
    secret: str
    C: str
    unit: int
    nonce: str | None = None
    league: int = 0  # as the mint said it (M3)


Action: TypeAlias = Pick | Commit | Reveal


class Code(StrEnum):
    NO_SUCH_UNIT = "no_such_unit"
    UNIT_SPENT = "unit_spent"
    COMMITMENT_MISMATCH = "commitment_mismatch"
