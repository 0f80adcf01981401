"""From a secret to faces: a stream of bytes, read die by die without a bias (C1)."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from itertools import count

from dicehall.core.game import Faces

MOST_SIDES = 65_536  # what two bytes can tell apart


def draw(secret: bytes, salt: bytes, sides: Faces) -> Faces:
    """The faces that dice with these sides show for this secret and salt; always the same ones."""
    bytes_ = stream(secret, salt)
    return tuple([face(bytes_, n) for n in sides])


def stream(secret: bytes, salt: bytes) -> Iterator[int]:
    for block in count():
        # not hmac.digest, which lets other threads go first: under load that is the longest part of a roll
        yield from hmac.new(secret, salt + block.to_bytes(4, "big"), "sha256").digest()


def face(bytes_: Iterator[int], sides: int) -> int:
    """Read one die. Values that would favour the low faces are dropped and the next one is read."""
    if not 1 <= sides <= MOST_SIDES:
        raise ValueError(f"A die has 1 to {MOST_SIDES} sides, not {sides}.")
    wide = sides > 256
    values = 65_536 if wide else 256
    fair = values - values % sides
    while True:
        value = next(bytes_) << 8 | next(bytes_) if wide else next(bytes_)
        if value < fair:
            return value % sides + 1
