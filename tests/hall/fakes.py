"""A clock that stands still, chance that repeats itself, passwords that are quick to try."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from dicehall.core.game import AnyGame, Refused
from dicehall.hall.keys import message
from dicehall.hall.passwords import Cost, Passwords
from dicehall.hall.people import People
from dicehall.hall.ports import PeopleStore

QUICK = Cost(rounds=1, memory_kib=8, lanes=1)
SECOND = 1000
DAY = 24 * 60 * 60 * SECOND


async def as_asked(game: AnyGame, level: str, seats: int) -> str:
    """Every bot plays on its own level."""
    return level


@dataclass
class StillClock:
    at: int = 1_000_000

    def now(self) -> int:
        return self.at


@dataclass
class CountedEntropy:
    """The same bytes in every run, and never the same twice."""

    drawn: int = 0

    def draw(self, count: int) -> bytes:
        self.drawn += 1
        return hashlib.shake_256(str(self.drawn).encode()).digest(count)


class WatchedPasswords(Passwords):
    """Remembers each verification that was really made, and whether there was a hash to verify against."""

    def __init__(self) -> None:
        self.verified: list[str] = []
        super().__init__(CountedEntropy(), QUICK)

    def _verify(self, hashed: str, password: bytes) -> bool:
        self.verified.append(hashed)
        return super()._verify(hashed, password)


@dataclass
class Hallway:
    """The people of a hall with everything they are made of at hand."""

    store: PeopleStore
    clock: StillClock = field(default_factory=StillClock)
    entropy: CountedEntropy = field(default_factory=CountedEntropy)
    passwords: WatchedPasswords = field(default_factory=WatchedPasswords)

    @property
    def people(self) -> People:
        return People(self.store, self.passwords, self.clock, self.entropy)


@dataclass(frozen=True)
class Key:
    """Somebody's key pair."""

    private: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)

    @property
    def raw(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @property
    def der(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)

    def sign(self, challenge: str) -> bytes:
        return self.private.sign(message(challenge))


async def outcome(asked: Awaitable[Any]) -> Any:
    """The code of a refusal, or what was answered."""
    try:
        return await asked
    except Refused as refused:
        return str(refused.code)
