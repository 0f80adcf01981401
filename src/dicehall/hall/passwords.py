"""Passwords: slow to try, away from the event loop, and as slow for names that nobody has."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from dicehall.hall.codes import bad
from dicehall.hall.ports import Entropy
from dicehall.table.fair_lock import FairLock
from dicehall.table.slices import asking

T = TypeVar("T")

SHORTEST, LONGEST = 8, 256
SALT = 16
AT_ONCE = 2  # more would only take memory


@dataclass(frozen=True, slots=True)
class Cost:
    """What one try costs; a hash made at another cost is made anew when its owner signs in."""

    rounds: int = 2
    memory_kib: int = 32 * 1024
    lanes: int = 1


class Passwords:
    def __init__(self, entropy: Entropy, cost: Cost) -> None:
        self._entropy = entropy
        self._hasher = PasswordHasher(cost.rounds, cost.memory_kib, cost.lanes, salt_len=SALT)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        self._turn = FairLock(AT_ONCE)
        self._nobodys = self._hash(entropy.draw(SALT))

    async def hashed(self, password: str) -> str:
        return await self._away(lambda: self._hash(plain(password)))

    async def matches(self, hashed: str | None, password: str) -> bool:
        """Without a hash it takes as long, and is False."""
        fits = await self._away(lambda: self._verify(hashed or self._nobodys, plain(password)))
        return fits and hashed is not None

    def outdated(self, hashed: str) -> bool:
        return self._hasher.check_needs_rehash(hashed)

    def close(self) -> None:
        self._threads.shutdown()

    def _hash(self, password: bytes) -> str:
        return self._hasher.hash(password, salt=self._entropy.draw(SALT))

    def _verify(self, hashed: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except VerifyMismatchError:
            return False

    async def _away(self, work: Callable[[], T]) -> T:
        """Addresses are served in turn: many sign-ups of one do not delay those who sign in from another."""
        async with self._turn.hold(asking.get()):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def plain(password: str) -> bytes:
    """The same bytes, whichever keyboard typed it."""
    return normalize("NFC", password).encode("utf-8", "surrogatepass")


def check_password(password: str) -> None:
    if not SHORTEST <= len(password) <= LONGEST:
        raise bad(f"Use {SHORTEST} to {LONGEST} characters.")
