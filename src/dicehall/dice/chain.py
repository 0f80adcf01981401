"""The chain of secrets behind one table's dice: each is the SHA-256 of the one after it.

The host draws the last secret, walks down to the seal and shows only that. Roll number i opens
secret i; whoever hashes it arrives at the one opened before, and in the end at the seal.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from hashlib import sha256

LENGTH = 16_384  # rolls; no game needs more, and a table that does is closed
STRETCH = 128  # the square root of LENGTH: as many marks in a chain as secrets from mark to mark
SIZE = 32


class ChainUsedUp(Exception):
    """A table asked for more rolls than its seal covers."""

    def __init__(self, number: int) -> None:
        super().__init__(f"Roll {number} is beyond the {LENGTH} rolls that one seal covers.")
        self.number = number


class Chain:
    """All secrets of one table. They are worked out when they are prepared or asked for; then 8 kB are kept."""

    __slots__ = ("_last", "_marks", "_stretch", "_stretch_at")

    def __init__(self, last: bytes) -> None:
        if len(last) != SIZE:
            raise ValueError(f"The last secret has {SIZE} bytes, not {len(last)}.")
        self._last = last
        self._marks = b""  # the secrets LENGTH, LENGTH - STRETCH, ..., STRETCH
        self._stretch = b""  # the secrets below one mark, down to the next, for rolls in a row
        self._stretch_at = -1

    @property
    def seal(self) -> str:
        """What is shown before anybody sits down."""
        return self.secret(0).hex()

    def key(self, label: str) -> str:
        """A key for something other than dice. It shows nothing of the last secret, and nobody can guess it without."""
        return hmac.new(self._last, f"dicehall/key\n{label}".encode(), sha256).hexdigest()

    def secret(self, number: int) -> bytes:
        """The secret of this roll; number 0 is the seal itself."""
        if number < 0:
            raise ValueError(f"Rolls count from 1; there is no roll {number}.")
        if number > LENGTH:
            raise ChainUsedUp(number)
        if number == LENGTH:
            return self._last
        stretch, place = divmod(number, STRETCH)
        if stretch != self._stretch_at:
            self._stretch = b"".join(walk(self._mark(stretch), STRETCH))
            self._stretch_at = stretch
        return falling(self._stretch, place)

    def prepare(self) -> Iterator[None]:
        """Work out what all secrets need, one stretch per step: a fifth of a millisecond each, 25 in all."""
        if self._marks:
            return
        marks = [self._last]
        for _ in range(LENGTH // STRETCH - 1):
            *_, mark = walk(marks[-1], STRETCH)
            marks.append(mark)
            yield
        self._marks = b"".join(marks)

    def _mark(self, stretch: int) -> bytes:
        """The secret just above this stretch."""
        for _ in self.prepare():
            pass
        return falling(self._marks, stretch)


def walk(secret: bytes, steps: int) -> Iterator[bytes]:
    """The secrets below this one, highest first."""
    for _ in range(steps):
        secret = sha256(secret).digest()
        yield secret


def falling(secrets: bytes, place: int) -> bytes:
    """The secret at a place counted from the low end, which comes last."""
    end = len(secrets) - place * SIZE
    return secrets[end - SIZE : end]
