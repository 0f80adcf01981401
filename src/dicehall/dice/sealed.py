"""Dice from sealed envelopes: a chain's secrets, mixed with a table's salt."""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.core.game import Faces
from dicehall.dice.chain import Chain
from dicehall.dice.faces import draw


@dataclass(frozen=True, slots=True)
class Opened:
    """A roll with the secret that is shown beside it."""

    faces: Faces
    secret: str


class Sealed:
    """The next dice of a table, by the number of rolls it has stored.

    Make one for each act, from what the journal holds. Dice that were drawn and then not stored
    (a crash, a lost race) are drawn again the same, because they have the same number.
    """

    __slots__ = ("_chain", "_number", "_salt")

    def __init__(self, chain: Chain, salt: bytes, stored: int) -> None:
        self._chain = chain
        self._salt = salt
        self._number = stored

    def open(self, sides: Faces) -> Opened:
        number = self._number + 1
        secret = self._chain.secret(number)
        opened = Opened(draw(secret, self._salt, sides), secret.hex())
        self._number = number
        return opened

    def roll(self, sides: Faces) -> Faces:
        return self.open(sides).faces
