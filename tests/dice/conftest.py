"""Sealed dice by straight hashlib and hmac code, written from the protocol and sharing nothing with `dicehall.dice`."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable, Sequence
from typing import Any

import pytest

LAST = hashlib.sha256(b"the last secret of a test").digest()
ANNS = "a lucky day" + "0123456789abcdef" * 2
BOS = "würfel" + "fedcba9876543210" * 2


def straight_secrets(last: bytes) -> list[bytes]:
    """All secrets, s_0 first."""
    secrets = [last]
    for _ in range(16384):
        secrets.append(hashlib.sha256(secrets[-1]).digest())
    return secrets[::-1]


def straight_salt(table: str, words: Sequence[str]) -> bytes:
    text = b"dicehall/1\n" + table.encode("utf-8")
    for seat in words:
        text += b"\n" + seat.encode("utf-8").hex().encode("ascii")
    return hashlib.sha256(text).digest()


def straight_faces(secret: bytes, salt: bytes, sides: Sequence[int]) -> tuple[int, ...]:
    blocks = 8 + len(sides) // 4
    data = b"".join(hmac.new(secret, salt + struct.pack(">I", i), hashlib.sha256).digest() for i in range(blocks))
    faces, at = [], 0
    for n in sides:
        if n <= 256:
            while data[at] >= 256 // n * n:
                at += 1
            faces.append(data[at] % n + 1)
            at += 1
        else:
            while struct.unpack_from(">H", data, at)[0] >= 65536 // n * n:
                at += 2
            faces.append(struct.unpack_from(">H", data, at)[0] % n + 1)
            at += 2
    return tuple(faces)


def straight_record(
    game: str, seats: Sequence[str], words: Sequence[str], rolls: Sequence[Sequence[int]], *, drawn: bool = False
) -> dict[str, Any]:
    """A record's header and rolls, for dice with these sides."""
    secrets, salt = straight_secrets(LAST), straight_salt("table-7", words)
    order = [range(len(seats), 1, -1)] if drawn else []
    opened = [
        {"faces": list(straight_faces(secrets[i], salt, list(sides))), "opened": secrets[i].hex()}
        for i, sides in enumerate([*order, *rolls], start=1)
    ]
    seal: dict[str, Any] = {"table": "table-7", "s0": secrets[0].hex(), "words": list(words)}
    if drawn:
        seal["drawn"] = opened.pop(0)
    entries: list[dict[str, Any]] = [{"roll": roll["faces"], "opened": roll["opened"]} for roll in opened]
    return {"dicehall": 1, "game": game, "seats": list(seats), "seal": seal, "entries": entries}


@pytest.fixture(scope="session")
def secrets() -> list[bytes]:
    """Secret i of the chain that ends in :data:`LAST` is at place i."""
    return straight_secrets(LAST)


@pytest.fixture(scope="session")
def salt_of() -> Callable[[str, Sequence[str]], bytes]:
    return straight_salt


@pytest.fixture(scope="session")
def faces_of() -> Callable[[bytes, bytes, Sequence[int]], tuple[int, ...]]:
    return straight_faces


@pytest.fixture(scope="session")
def sealed_record() -> Callable[..., dict[str, Any]]:
    return straight_record


@pytest.fixture(scope="session")
def two_words() -> tuple[str, str]:
    return ANNS, BOS
