"""One process of the referee: the real bot, its real relay client, and a store that survives it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, cast

from dicehall.nostr.relay import Delays, Relay
from dicehall.nostr.relay_pool import RelayPool
from dicehall.referee.bot import Bot
from dicehall.referee.referee import Referee
from dicehall.referee.store import Store
from tests.referee.people import BOT
from tests.referee.simulation.mint import SimulatedMintClient
from tests.referee.simulation.relay import Connection

if TYPE_CHECKING:
    from tests.referee.simulation.world import World


class Killed(BaseException):
    """The process ends here and now."""


class SimulatedStore(Store):
    """In memory; what is committed is noted, and the next process begins with it."""

    process: Process | None = None

    def commit(self) -> None:
        if self.process is None or not self.batch:
            return super().commit()
        batch = list(self.batch)
        self.process.may_die("before a commit")
        super().commit()
        self.process.world.note_committed(batch)
        self.process.may_die("after a commit")


class SimulatedThreads(Executor):
    """Work for threads, done in the loop a little later."""

    def __init__(self, process: Process) -> None:
        self.process = process

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        world = self.process.world
        world.loop.call_later(world.delay(), self.run, future, work)
        return future

    def run(self, future: Future[Any], work: Callable[[], Any]) -> None:
        if self.process.dead or future.cancelled():
            return
        try:
            future.set_result(work())
        except Killed:
            return
        except Exception as error:
            future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        pass


@dataclass(slots=True, eq=False)
class Process:
    world: World
    dead: bool = False
    bot: Bot = field(init=False)
    task: asyncio.Task[None] = field(init=False)

    def __post_init__(self) -> None:
        world = self.world
        store = SimulatedStore(":memory:")
        if world.disk is not None:
            store.db.deserialize(world.disk)
        store.process = self
        delays = Delays(Random(world.faults.random()), 0.2, 2.0)
        pool = RelayPool(tuple(Relay(relay.url, delays) for relay in world.relays))
        referee = Referee(BOT, store, limits=world.limits, max_matches=world.max_matches)
        mint, threads = cast("Any", SimulatedMintClient(self)), cast("Any", SimulatedThreads(self))
        self.bot = Bot(referee, pool, mint, world.clock.now, threads=threads)
        self.task = world.loop.create_task(self.run())

    async def run(self) -> None:
        try:
            await self.bot.run()
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            if not self.dead:
                self.world.found("the referee never stumbles", "", repr(error))
                self.world.kill("after an error")

    def connect(self, url: str, **_: object) -> Connection:
        relay = next(one for one in self.world.relays if one.url == url)
        return Connection(relay, self)

    def may_die(self, when: str) -> None:
        if self.dead:
            raise Killed
        if self.world.happens(self.world.weather.dying):
            self.world.kill(when)
            raise Killed

    def kill(self) -> bytes:
        """What is on the disk then."""
        self.dead = True
        db = self.bot.referee.store.db
        if db.in_transaction:
            db.execute("ROLLBACK")
        disk: bytes = db.serialize()
        self.task.cancel()
        return disk
