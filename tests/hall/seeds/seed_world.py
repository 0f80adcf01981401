"""A hall on virtual time with real people, and the seeds' doors in front of it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from itertools import count
from typing import Any, Concatenate, ParamSpec

from dicehall.bots.levels import levels
from dicehall.games import catalogue
from dicehall.hall.cards import facts_of
from dicehall.hall.hall import Hall, HallParts
from dicehall.hall.opening import Opening
from dicehall.hall.people import People
from dicehall.hall.seeds.tenthousand import DiceTenThousand
from dicehall.hall.seeds.wards import GameEngine, Lobbies, Profiles
from dicehall.hall.seeds.wards_rooms import Rooms
from dicehall.hall.seeds.wards_words import WardsError
from dicehall.store.memory_people import MemoryPeople
from dicehall.table.host import Host, Parts
from dicehall.table.record import record_of
from dicehall.table.requests import Destroy
from dicehall.table.story import story
from dicehall.wire.record import record_text
from tests.hall.fakes import CountedEntropy, WatchedPasswords, as_asked
from tests.hall.seeds.small_hall import OpenPasswords
from tests.table.hosting import World
from tests.table.virtual import run

P = ParamSpec("P")


class SeedWorld(World):
    """One machine whose hall can be reached through the seeds' own interfaces."""

    hall: Hall
    profiles: Profiles
    lobbies: Lobbies
    engine: GameEngine
    ten: DiceTenThousand

    def __init__(self) -> None:
        super().__init__()
        self.people = People(MemoryPeople(self.journal), WatchedPasswords(), self.clock, CountedEntropy())
        self.ids = count(1)

    async def boot(self) -> None:
        """Start a process on the journal as it is; nothing of the one before is known to it."""
        self.starts += 1
        told = lambda table, _: self.frozen.append(table)  # noqa: E731
        process, journal = f"p{self.starts}", self.journal
        parts = Parts(journal, self.clock, self.box, self.bots, catalogue(), process, told, facts_of, journal)
        self.host = Host(parts)
        await self.host.start()
        register, new_id = self.journal.register, lambda: f"room{next(self.ids)}"
        known = lambda game: list(levels(game))  # noqa: E731
        self.hall = Hall(self.host, HallParts(register, self.name, OpenPasswords(), new_id, known, as_asked))
        rooms = Rooms(self.hall)
        self.profiles, self.lobbies, self.engine = Profiles(self.people, register), Lobbies(rooms), GameEngine(rooms)
        self.ten = DiceTenThousand(self.hall, self.people)

    async def name(self, account: str) -> str:
        return (await self.people.account(account)).name

    async def guests(self, *names: str) -> list[str]:
        """The accounts of people who come in."""
        return [(await self.people.guest(name)).account.id for name in names]

    async def pair(self) -> tuple[str, str, str]:
        """Two people and the room in which their game has begun."""
        ann, bo = await self.guests("Ann", "Bo")
        room = await self.lobbies.createRoom(ann, "a room")
        return ann, bo, await self.lobbies.joinRoom(bo, room.id)

    async def short_pair(self, goal: int = 5) -> tuple[str, str, str]:
        """A game at a hall's table that a single hold may win."""
        ann, bo = await self.guests("Ann", "Bo")
        table = await self.hall.open(ann, Opening("wards", {"goal": goal}))
        for account in (ann, bo):
            await self.lobbies.joinRoom(account, table)
        return ann, bo, table

    async def won_pair(self) -> tuple[str, str, str]:
        """A game that its first player has won."""
        self.box.named[1] = (6,)
        ann, bo, room = await self.short_pair()
        await self.engine.roll(ann, room)
        await self.engine.hold(ann, room)
        return ann, bo, room

    async def destroy(self, table: str) -> None:
        await self.host.ask(table, Destroy("the house burns", operator=True))

    async def archive(self, table: str) -> None:
        """Only the record of a table is kept."""
        record = record_of(story(table, await self.journal.rows(table), catalogue()))
        await self.journal.archive(table, record_text(record))
        self.host.forget(table)


async def wrong(asked: Awaitable[Any]) -> str:
    """The seed's name of the error with which something is answered."""
    try:
        answer = await asked
    except WardsError as error:
        return error.name.value if error.detail else "an error that explains nothing"
    raise AssertionError(f"not refused: {answer}")


def in_a_hall(test: Callable[Concatenate[SeedWorld, P], Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in a hall that is open; nothing in it may fail unseen."""

    def inside(*args: P.args, **kwargs: P.kwargs) -> None:
        world, unseen = SeedWorld(), list[dict[str, Any]]()

        async def whole() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
            await world.boot()
            await test(world, *args, **kwargs)
            await world.host.stop()

        run(whole(), world.clock)
        assert not unseen, unseen

    inside.__name__, inside.__doc__, inside.__module__ = test.__name__, test.__doc__, test.__module__
    signature = inspect.signature(test)
    kept = [parameter for name, parameter in signature.parameters.items() if name != "world"]
    inside.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return inside
