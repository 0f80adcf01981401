"""A venue on virtual time: two Aetharn tables in a game world, and everything that is told there."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec

from dicehall.core.game import Faces
from dicehall.hall.seeds.aetharn import AetharnService
from dicehall.hall.seeds.aetharn_events import Happened
from dicehall.hall.seeds.aetharn_game import AetharnGame
from tests.hall.seeds.small_hall import small_hall
from tests.table.hosting import Box
from tests.table.virtual import START_MS, VirtualClock, run

P = ParamSpec("P")
OAK = [f"oak {number}" for number in range(1, 7)]  # chairs
ELM = ["elm 1", "elm 2"]

STRAIGHT = (1, 2, 3, 4, 5, 6)
BUST = (2, 2, 3, 3, 4, 6)
ONE = (1, 2, 3, 3, 4, 6)


class Venue:
    def __init__(self) -> None:
        self.clock, self.box = VirtualClock(), Box()
        self.hall = small_hall(self.clock, self.box)
        self.service: AetharnService
        self.told: list[Happened] = []
        self.ticks: list[Happened] = []

    async def furnish(self, **rules: int | None) -> None:
        self.service = AetharnService(self.hall, rules)
        self.service.register_table("oak", OAK)
        self.service.register_table("elm", ELM)
        self.service.register_observer("oak bench", "oak")
        self.service.subscribe(self.created, "GameCreated")

    def created(self, event: Happened) -> None:
        game = self.service.get_game(event["game_id"])
        assert game is not None
        game.subscribe(self.hear)

    def hear(self, event: Happened) -> None:
        (self.ticks if event.name in ("TimerTick", "TimerExpired") else self.told).append(event)

    # -- people -----------------------------------------------------------------------------------------

    async def lobby(self, *players: str) -> AetharnGame:
        for number, player in enumerate(players):
            await self.service.on_chair_used(OAK[number], player)
        return self.game

    async def play(self, *players: str, rolls: tuple[Faces, ...] = (), **rules: int | None) -> AetharnGame:
        """A game that has started, in the order of the chairs, whose first rolls are named."""
        await self.furnish(**rules)
        self.box.named = {1: (1,) * (len(players) - 1), **dict(enumerate(rolls, 2))}
        game = await self.lobby(*players)
        await game.start()
        return game

    @property
    def game(self) -> AetharnGame:
        game = self.service.get_game_for_table("oak")
        assert game is not None
        return game

    # -- time and what was told ------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        return self.clock.now() - START_MS

    async def until(self, ms: int) -> None:
        await asyncio.sleep((ms - self.now) / 1000)
        assert self.now == ms

    def events(self, *names: str) -> list[dict[str, Any]]:
        """The fields of all events of these names that the game told."""
        return [dict(event.fields) for event in self.told if event.name in names]

    @property
    def names(self) -> list[str]:
        return [event.name for event in self.told]


def at_a_venue(test: Callable[Concatenate[Venue, P], Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test at a venue; nothing in it may fail unseen."""

    def visited(*args: P.args, **kwargs: P.kwargs) -> None:
        venue, unseen = Venue(), list[dict[str, Any]]()

        async def whole() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
            await venue.hall.host.start()
            await venue.furnish()
            await test(venue, *args, **kwargs)
            await venue.hall.host.stop()

        run(whole(), venue.clock)
        assert not unseen, unseen

    visited.__name__, visited.__doc__, visited.__module__ = test.__name__, test.__doc__, test.__module__
    signature = inspect.signature(test)
    kept = [parameter for name, parameter in signature.parameters.items() if name != "venue"]
    visited.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return visited
