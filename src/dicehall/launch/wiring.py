"""The parts of a host, put together: real clock and sealed dice."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dicehall.core.game import Faces
from dicehall.dice.chain import Chain
from dicehall.dice.faces import draw
from dicehall.dice.words import opens, salt
from dicehall.table.ports import SealedDice
from dicehall.table.slices import Slices


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class ChainDice:
    """A table's dice, from its chain of secrets."""

    chain: Chain

    @property
    def seal(self) -> str:
        return self.chain.seal

    def prepare(self) -> Iterator[None]:
        return self.chain.prepare()

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, str]:
        secret = self.chain.secret(number)
        return draw(secret, salt, sides), secret.hex()


# A table's salt is the same for all its rolls.
kept_salt = lru_cache(maxsize=4096)(salt)


class SealedBox:
    """Where sealed dice come from."""

    def secret(self) -> bytes:
        return secrets.token_bytes(32)

    async def draw(self, slices: Slices) -> tuple[bytes, SealedDice]:
        secret = self.secret()
        dice = self.dice(secret)
        await slices.run(dice.prepare())
        return secret, dice

    def dice(self, secret: bytes) -> ChainDice:
        return ChainDice(Chain(secret))

    def opens(self, words: str, commitment: str) -> bool:
        return opens(words, commitment)

    def salt(self, table: str, words: tuple[str, ...]) -> bytes:
        return kept_salt(table, words)
