"""Checking dice against their seal, on plain values; nothing here needs a hall, or a table's secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import chain as joined
from typing import Any

from dicehall.core.fold import described, order_of
from dicehall.core.game import Faces
from dicehall.dice.faces import draw
from dicehall.dice.words import BadTable, BadWords, salt

HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SealedRoll:
    sides: Faces  # as the rules ask for them, not as the record claims
    faces: Faces
    opened: str | None  # the secret shown with the roll
    stated: Any = None  # the sides as the record claims them, where it does


@dataclass(frozen=True, slots=True)
class Drawn:
    """Roll 1 of a table that draws who sits where: an order of all who have words in the seal."""

    faces: Faces
    opened: str | None


@dataclass(frozen=True, slots=True)
class Seal:
    """What a record's header says of its dice."""

    table: str
    s0: str
    words: tuple[str, ...]  # in sitting order, empty for a seat that gave none
    drawn: Drawn | None = None


class Fault(StrEnum):
    BAD_SEAL = "bad_seal"  # the seal is no seal: not 64 hex digits
    OTHER_SEAL = "other_seal"  # not the seal that was shown before the game
    BAD_SALT = "bad_salt"  # a table id or words from which no salt can be made
    NOT_OPENED = "not_opened"  # a roll without its secret
    BAD_SECRET = "bad_secret"  # a secret that is not 64 hex digits
    WRONG_SECRET = "wrong_secret"  # a secret that does not hash to the one before
    WRONG_SIDES = "wrong_sides"  # the record states other sides than the rules ask for
    WRONG_FACES = "wrong_faces"  # other faces than the secret and the words give


@dataclass(frozen=True, slots=True)
class Checked:
    """Every roll agrees. Without a seal known from elsewhere that means: consistent with itself."""

    rolls: int  # the draw of seats counts too; 0 where there was nothing to check
    seal_known: bool


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first thing that does not agree. Roll 0 is the header, before any dice."""

    roll: int
    what: Fault
    sentence: str


def check(seal: Seal, rolls: Iterable[SealedRoll], known: str | None = None) -> Checked | Mismatch:
    """Check all rolls of a record in order; *known* is the seal as somebody saw it before sitting down."""
    mixed = header_salt(seal, known)
    if isinstance(mixed, Mismatch):
        return mixed
    before, number = seal.s0, 0
    for number, roll in enumerate(joined(draw_of_seats(seal), rolls), start=1):
        if fault := check_roll(before, mixed, roll):
            return Mismatch(number, fault, sentence(fault, number, mixed, roll))
        before = roll.opened or ""
    return Checked(number, known is not None)


def check_roll(before: str, salt: bytes, roll: SealedRoll) -> Fault | None:
    """Check one roll as it falls: *before* is the secret of the roll before it, or the seal."""
    if roll.opened is None:
        return Fault.NOT_OPENED
    if not HEX.fullmatch(roll.opened):
        return Fault.BAD_SECRET
    secret = bytes.fromhex(roll.opened)
    if sha256(secret).hexdigest() != before:
        return Fault.WRONG_SECRET
    if roll.stated is not None and not is_exactly(roll.stated, roll.sides):
        return Fault.WRONG_SIDES
    return None if draw(secret, salt, roll.sides) == roll.faces else Fault.WRONG_FACES


def is_exactly(stated: Any, sides: Faces) -> bool:
    """Whether these are the same whole numbers: 6.0 and true are not."""
    return isinstance(stated, list) and all(type(n) is int for n in stated) and tuple(stated) == sides


def header_salt(seal: Seal, known: str | None) -> bytes | Mismatch:
    """The salt of a header whose seal can be relied on, or what is wrong with it."""
    if not HEX.fullmatch(seal.s0):
        return Mismatch(0, Fault.BAD_SEAL, "The record's seal is not 64 hex digits in lower case.")
    if known is not None and known.strip().lower() != seal.s0:
        return Mismatch(
            0, Fault.OTHER_SEAL, f"The record's seal is {seal.s0}, not {known}: different dice were sealed."
        )
    try:
        return salt(seal.table, seal.words)
    except (BadTable, BadWords) as error:
        return Mismatch(0, Fault.BAD_SALT, str(error))


def draw_of_seats(seal: Seal) -> Iterator[SealedRoll]:
    if seal.drawn is not None:
        yield SealedRoll(order_of(len(seal.words)), seal.drawn.faces, seal.drawn.opened)


def sentence(fault: Fault, number: int, salt: bytes, roll: SealedRoll) -> str:
    match fault:
        case Fault.NOT_OPENED:
            return f"Roll {number} was never opened: its secret is missing."
        case Fault.BAD_SECRET:
            return f"The secret of roll {number} is not 64 hex digits in lower case."
        case Fault.WRONG_SECRET:
            before = "the seal" if number == 1 else f"the secret of roll {number - 1}"
            return f"The secret of roll {number} does not hash to {before}: it is not what was sealed."
        case Fault.WRONG_SIDES:
            return f"Roll {number} has different dice from those the rules ask for ({described(roll.sides)})."
        case _:
            fell = draw(bytes.fromhex(roll.opened or ""), salt, roll.sides)
            asked = described(roll.sides)
            return f"Roll {number} shows {shown(roll.faces)}, but the sealed dice ({asked}) fell {shown(fell)}."


def shown(faces: Faces) -> str:
    return " ".join(map(str, faces)) or "nothing"
