"""The dice of a daily challenge: one secret for a day, and a salt for each roll of each turn (decision 078)."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from dicehall.core.game import Faces
from dicehall.core.throws import Place
from dicehall.dice.checking import HEX, Checked, Fault, Mismatch, SealedRoll, is_exactly, sentence
from dicehall.dice.faces import draw

DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def seal_of_day(secret: bytes) -> str:
    return sha256(secret).hexdigest()


def place_salt(day: str, game: str, place: Place) -> bytes:
    lines = ("dicehall/challenge", day, game, *map(str, place))
    return sha256("\n".join(lines).encode()).digest()


@dataclass(frozen=True, slots=True)
class DayDice:
    """The dice of a day, which are opened when it is over."""

    secret: bytes

    @property
    def seal(self) -> str:
        return seal_of_day(self.secret)

    def prepare(self) -> Iterator[None]:
        return iter(())

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, None]:
        """The number of the roll does not matter: all that does is in the salt."""
        return draw(self.secret, salt, sides), None

    def key(self, label: str) -> str:
        return hmac.new(self.secret, f"dicehall/key\n{label}".encode(), sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class DaySeal:
    """What the header of a challenge's record says of its dice."""

    day: str
    game: str
    s0: str
    words: tuple[str, ...]
    opened: str | None


def check_challenge(
    seal: DaySeal, rolls: Iterable[tuple[Place, SealedRoll]], known: str | None = None
) -> Checked | Mismatch:
    """Check all rolls of a challenge; *known* is the seal as it was shown during the day."""
    if wrong := header_fault(seal, known):
        return wrong
    secret, number = bytes.fromhex(seal.opened or ""), 0
    for number, (place, roll) in enumerate(rolls, start=1):
        salt = place_salt(seal.day, seal.game, place)
        if roll.stated is not None and not is_exactly(roll.stated, roll.sides):
            return Mismatch(number, Fault.WRONG_SIDES, sentence(Fault.WRONG_SIDES, number, salt, roll))
        if draw(secret, salt, roll.sides) != roll.faces:
            told = SealedRoll(roll.sides, roll.faces, seal.opened)
            return Mismatch(number, Fault.WRONG_FACES, sentence(Fault.WRONG_FACES, number, salt, told))
    return Checked(number, known is not None)


def header_fault(seal: DaySeal, known: str | None) -> Mismatch | None:
    if not HEX.fullmatch(seal.s0):
        return Mismatch(0, Fault.BAD_SEAL, "The record's seal is not 64 hex digits in lower case.")
    if known is not None and known.strip().lower() != seal.s0:
        return Mismatch(
            0, Fault.OTHER_SEAL, f"The record's seal is {seal.s0}, not {known}: different dice were sealed."
        )
    if not DAY.fullmatch(seal.day) or any(seal.words):
        return Mismatch(0, Fault.BAD_SALT, "A challenge must name its day, and no words are mixed into its dice.")
    if seal.opened is None:
        return Mismatch(
            0, Fault.NOT_OPENED, "The dice of this day are not opened yet. They can be checked the day after."
        )
    if not HEX.fullmatch(seal.opened):
        return Mismatch(0, Fault.BAD_SECRET, "The secret of the day is not 64 hex digits in lower case.")
    if seal_of_day(bytes.fromhex(seal.opened)) != seal.s0:
        return Mismatch(
            0, Fault.WRONG_SECRET, "The secret of the day does not hash to its seal: it is not what was sealed."
        )
    return None
