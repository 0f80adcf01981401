"""A whole hall on virtual time: its people, its tables, and processes that may die and be started again."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import cache
from itertools import count
from typing import Any, Concatenate, ParamSpec

from dicehall.bots.levels import levels
from dicehall.core.game import Faces, Refused
from dicehall.dice.words import commitment
from dicehall.games import catalogue
from dicehall.hall.cards import facts_of
from dicehall.hall.hall import Hall, HallParts
from dicehall.hall.opening import Opening
from dicehall.hall.passwords import Passwords
from dicehall.hall.people import People
from dicehall.launch.wiring import ChainDice, SealedBox
from dicehall.store.memory import MemoryJournal
from dicehall.store.memory_people import MemoryPeople
from dicehall.table.host import Host, Parts
from dicehall.table.live import LiveTable
from dicehall.table.ports import DiceBox
from dicehall.table.state import TableState
from dicehall.table.story import story
from tests.hall.fakes import QUICK, CountedEntropy, as_asked
from tests.table.fakes import Ear, LoadedDice
from tests.table.hosting import Bots
from tests.table.virtual import START_MS, VirtualClock, run

P = ParamSpec("P")
GAMES = catalogue()
SECRETS = 12  # chains of dice are dear to make: a few serve all tables


@cache
def dice_of(secret: bytes) -> ChainDice:
    return SealedBox().dice(secret)


@cache
def known_levels(game: str) -> Sequence[str]:
    return list(levels(game))


class NamedBox(SealedBox):
    """Sealed dice; a test may name the faces of a roll by its number."""

    def __init__(self) -> None:
        self.named: dict[int, Faces] = {}
        self.made = 0

    def secret(self) -> bytes:
        self.made += 1
        return bytes([self.made % SECRETS]) * 32

    def dice(self, secret: bytes) -> Any:
        return LoadedDice(dice_of(secret), self.named)


class PlainPasswords(Passwords):
    """Passwords that need no thread, which virtual time could not wait for."""

    def __init__(self) -> None:
        super().__init__(CountedEntropy(), QUICK)
        self.close()

    async def hashed(self, password: str) -> str:
        return f"hash of {password}"

    async def matches(self, hashed: str | None, password: str) -> bool:
        return hashed == f"hash of {password}"

    def outdated(self, hashed: str) -> bool:
        return False


class House:
    """One machine with a hall on it."""

    def __init__(self, journal: MemoryJournal | None = None) -> None:
        self.clock, self.box = VirtualClock(), NamedBox()
        self.journal = MemoryJournal() if journal is None else journal
        self.store = MemoryPeople(self.journal)
        self.people = People(self.store, PlainPasswords(), self.clock, CountedEntropy())
        self.ids, self.ears, self.starts = count(1), count(1), 0
        self.hall: Hall

    # -- the process and its time ---------------------------------------------------------------------

    async def boot(self) -> None:
        """Start a process on what is stored."""
        self.starts += 1
        self.hall = self.new_hall(self.box)
        await self.hall.host.start()

    def new_hall(self, box: DiceBox) -> Hall:
        process = f"p{self.starts}"
        parts = Parts(self.journal, self.clock, box, Bots(), GAMES, process, frozen, facts_of, self.journal)
        mine = HallParts(self.journal.register, self.called, PlainPasswords(), self.new_id, known_levels, as_asked)
        return Hall(Host(parts), mine)

    async def die(self) -> None:
        """The process is gone, in the middle of whatever it did."""
        host = self.hall.host
        workers = [live.busy for live in host.tables.values() if live.busy]
        tasks = [*host.tasks, *(one.task for one in host.loading.values()), *workers]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def archived(self, table: str) -> None:
        """Wait until nothing but the record of a finished table is left."""
        await self.after(602)
        assert await self.journal.archived(table) is not None

    # -- people and tables ------------------------------------------------------------------------------

    async def called(self, account: str) -> str:
        return (await self.people.account(account)).name

    def new_id(self) -> str:
        return f"t{next(self.ids)}"

    async def guests(self, *names: str) -> list[str]:
        return [(await self.people.guest(name)).account.id for name in names]

    async def accounts(self, *names: str) -> list[str]:
        return [(await self.people.sign_up(name, "correct horse")).account.id for name in names]

    def ear(self) -> Ear:
        return Ear(f"p{self.starts}:{next(self.ears)}")

    async def lobby(self, game: str, *people: str, **wanted: Any) -> str:
        """A table that the first of these people opened, at which all of them sit."""
        table = await self.hall.open(people[0], Opening(game, **wanted))
        for account in people:
            await self.hall.sit(account, table)
        return table

    async def game_of(self, first: str, second: str, **wanted: Any) -> str:
        """A game of Dice Wards that whoever holds six points wins."""
        return await self.lobby("wards", first, second, **{"rules": {"goal": 6}, **wanted})

    async def won(self, first: str, second: str, **wanted: Any) -> str:
        """A game of Dice Wards that the first of two wins at once."""
        self.box.named[1] = (6,)
        table = await self.game_of(first, second, **wanted)
        await self.win(table, first)
        return table

    async def won_rated(self, first: str, second: str) -> str:
        """A game of Dice Wards by its usual rules that the first of two wins in one turn."""
        self.box.named.update(dict.fromkeys(range(1, 18), (6,)))
        table = await self.lobby("wards", first, second)
        await self.win_rated(table, first)
        return table

    async def win_rated(self, table: str, account: str) -> None:
        for _ in range(17):
            await self.hall.act(account, table, "roll")
        await self.hall.act(account, table, "hold")
        assert self.state(table).phase == "over"

    async def win(self, table: str, account: str) -> None:
        await self.hall.act(account, table, "roll")
        await self.hall.act(account, table, "hold")
        assert self.state(table).phase == "over"

    def live(self, table: str) -> LiveTable:
        return self.hall.host.tables[table]

    def state(self, table: str) -> TableState:
        return self.live(table).state

    async def folded(self, table: str) -> TableState:
        """A table as its journal says it is."""
        *_, last = story(table, await self.journal.rows(table), GAMES)
        assert last.after is not None
        return last.after

    def seats(self, table: str) -> dict[int, str | None]:
        """Who sits in which chair, bots by their level."""
        return {chair.number: chair.account or chair.bot for chair in self.state(table).chairs}


def promise(words: str) -> str:
    return commitment(words)


def frozen(table: str, error: Exception) -> None:
    raise AssertionError(f"table {table} is frozen") from error


async def outcome(asked: Awaitable[Any]) -> Any:
    """What was answered, or the code of the refusal."""
    try:
        return await asked
    except Refused as refused:
        return str(refused.code) if refused.sentence else "refused without a sentence"


def in_a_hall(test: Callable[Concatenate[House, P], Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in a hall that is open; nothing in it may fail unseen."""

    def inside(*args: P.args, **kwargs: P.kwargs) -> None:
        house, unseen = House(), list[dict[str, Any]]()

        async def whole() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
            await house.boot()
            await test(house, *args, **kwargs)
            await house.hall.host.stop()

        run(whole(), house.clock)
        assert not unseen, unseen

    inside.__name__, inside.__doc__, inside.__module__ = test.__name__, test.__doc__, test.__module__
    signature = inspect.signature(test)
    kept = [parameter for name, parameter in signature.parameters.items() if name != "house"]
    inside.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return inside


__all__ = ["START_MS", "House", "in_a_hall", "outcome", "promise"]
