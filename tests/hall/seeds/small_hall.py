"""A hall on virtual time: dice that a test may name, a journal in memory, people who are called as their account."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from dicehall.bots.levels import levels
from dicehall.games import catalogue
from dicehall.hall.cards import facts_of
from dicehall.hall.hall import Hall, HallParts
from dicehall.hall.register import Register
from dicehall.store.memory import MemoryJournal
from dicehall.table.host import Host, Parts
from dicehall.table.ports import Clock, DiceBox
from tests.hall.fakes import as_asked
from tests.table.hosting import Bots

ids = count(1)


class OpenPasswords:
    async def hashed(self, password: str) -> str:
        return password

    async def matches(self, hashed: str, password: str) -> bool:
        return hashed == password


async def called(account: str) -> str:
    return account.title()


def known_levels(game: str) -> Sequence[str]:
    return list(levels(game))


def small_hall(clock: Clock, box: DiceBox, journal: MemoryJournal | None = None, process: str = "p1") -> Hall:
    """A hall whose host has not started."""
    kept = MemoryJournal() if journal is None else journal
    parts = Parts(kept, clock, box, Bots(), catalogue(), process, frozen, facts_of)
    register: Register = kept.register
    new_id = lambda: f"t{next(ids)}"  # noqa: E731
    return Hall(Host(parts), HallParts(register, called, OpenPasswords(), new_id, known_levels, as_asked))


def frozen(table: str, error: Exception) -> None:
    raise AssertionError(f"table {table} is frozen") from error
