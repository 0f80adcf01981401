"""The parts of a host, put together: real clock and sealed dice."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dicehall.core.game import Faces
from dicehall.core.throws import Place
from dicehall.dice.chain import Chain
from dicehall.dice.challenge import DayDice, place_salt
from dicehall.dice.faces import draw
from dicehall.dice.words import opens, salt
from dicehall.table.hall_clock import HallClock
from dicehall.table.ports import SealedDice
from dicehall.table.shared_clock import SharedClock
from dicehall.table.slices import Slices

READY = 8  # chains that wait for tables to be opened


def elapsed_ns() -> int:
    """A clock that nobody can set and that runs on while the machine sleeps, where the system has one."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SystemClock(HallClock):
    """The hall's clock on this machine."""

    def __init__(self) -> None:
        super().__init__(time.time_ns, elapsed_ns)


class DatabaseClock(SharedClock):
    """The clock of a database that several processes share."""

    def __init__(self) -> None:
        super().__init__(time.time_ns, elapsed_ns)


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

    def key(self, label: str) -> str:
        return self.chain.key(label)


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

    def day_dice(self, secret: bytes) -> SealedDice:
        return DayDice(secret)

    def place_salt(self, day: str, game: str, place: Place) -> bytes:
        return place_salt(day, game, place)

    def opens(self, words: str, commitment: str) -> bool:
        return opens(words, commitment)

    def salt(self, table: str, words: tuple[str, ...]) -> bytes:
        return kept_salt(table, words)


class PreparedBox(SealedBox):
    """Keeps a few chains ready, so that opening a table waits for no hashing.

    A chain that nobody needed is never stored or shown, and is gone with the process.
    """

    def __init__(self) -> None:
        self.ready: deque[tuple[bytes, SealedDice]] = deque()
        self.filling: asyncio.Task[None] | None = None

    async def draw(self, slices: Slices) -> tuple[bytes, SealedDice]:
        drawn = self.ready.popleft() if self.ready else await super().draw(slices)
        self.refill(slices)
        return drawn

    def refill(self, slices: Slices) -> None:
        if self.filling is None or self.filling.done():
            self.filling = asyncio.create_task(self.fill(slices))

    async def fill(self, slices: Slices) -> None:
        while len(self.ready) < READY:
            self.ready.append(await super().draw(slices))

    def close(self) -> None:
        if self.filling is not None:
            self.filling.cancel()
        self.ready.clear()
