"""Sources of dice that need no seal: the system's own chance, a script, a text to repeat a game by."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import Protocol

from dicehall.core.fold import described, fits
from dicehall.core.game import Faces
from dicehall.dice.faces import draw


class DiceSource(Protocol):
    def roll(self, sides: Faces) -> Faces:
        """One face for each of these dice, in order."""
        ...


class System:
    """Chance from the operating system; nobody can check it afterwards."""

    def roll(self, sides: Faces) -> Faces:
        return tuple(secrets.randbelow(n) + 1 for n in sides)


class BadScript(Exception):
    """A script that does not have the dice a game asked for."""


class Scripted:
    """Faces written down beforehand, roll after roll."""

    def __init__(self, rolls: Iterable[Faces]) -> None:
        self._rolls = iter(rolls)
        self._number = 0

    def roll(self, sides: Faces) -> Faces:
        self._number += 1
        faces = next(self._rolls, None)
        if faces is None:
            raise BadScript(f"The script ends before roll {self._number} ({described(sides)}).")
        if not fits(faces, sides):
            raise BadScript(f"Roll {self._number} of the script is {faces}, which does not fit {described(sides)}.")
        return faces


class Seeded:
    """Faces that follow from a text alone, so that the same text gives the same game again."""

    def __init__(self, text: str) -> None:
        self._key = sha256(text.encode(errors="surrogatepass")).digest()
        self._number = 0

    def roll(self, sides: Faces) -> Faces:
        self._number += 1
        return draw(self._key, b"dicehall/seed\n" + self._number.to_bytes(8, "big"), sides)
