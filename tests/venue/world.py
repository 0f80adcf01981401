"""A game world on virtual time: the sample tavern, its bridge, and a module that does what the commands say."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Concatenate, ParamSpec

import pytest

from dicehall.core.game import Faces, Refused
from dicehall.games import catalogue
from dicehall.launch.venue_bridge import make_bridge
from dicehall.venue.bridge import Bridge
from dicehall.venue.sample import tavern
from tests.table.hosting import Box
from tests.table.virtual import START_MS, VirtualClock, run

P = ParamSpec("P")
SECRET = "only the game server knows this"
PLAYER, SPECTATOR = "aetharn", "aetharnwatch"

STRAIGHT = (1, 2, 3, 4, 5, 6)
BUST = (2, 2, 3, 3, 4, 6)
ONE = (1, 2, 3, 3, 4, 6)


@dataclass(slots=True)
class OpenWindow:
    nui: dict[str, Any]
    binds: dict[str, Any]


@dataclass(slots=True)
class Module:
    """What the module's script keeps: the windows that its players see, the messages they read, and its cursor."""

    windows: dict[tuple[str, str], OpenWindow] = field(default_factory=dict)
    messages: list[tuple[str, str]] = field(default_factory=list)
    commands: list[dict[str, Any]] = field(default_factory=list)
    cursor: str | None = None
    seq: int = 0
    resets: list[str] = field(default_factory=list)

    def apply(self, answer: dict[str, Any]) -> None:
        if answer["reset"]:
            self.resets.append(answer["reset"])
            self.windows.clear()
            self.seq = -1
        elif answer["seq"] <= self.seq:
            return
        for command in answer["commands"]:
            if command["seq"] > self.seq:
                self.do(command)
        self.cursor, self.seq = answer["next"], answer["seq"]

    def do(self, command: dict[str, Any]) -> None:
        self.commands.append(command)
        window = (command["player"], command.get("window", ""))
        match command["op"]:
            case "create":
                self.windows[window] = OpenWindow(command["nui"], dict(command["binds"]))
            case "bind":
                self.windows[window].binds.update(command["binds"])
            case "destroy":
                del self.windows[window]
            case "message":
                self.messages.append((command["player"], command["text"]))

    def messages_to(self, player: str) -> list[str]:
        return [text for key, text in self.messages if key == player]

    def ops(self, player: str) -> list[str]:
        return [command["op"] for command in self.commands if command["player"] == player]


class World:
    def __init__(self, **rules: int | None) -> None:
        self.clock, self.box = VirtualClock(), Box()
        self.venue = tavern()
        self.module = Module()
        self.ids = count(1)
        self.bridge: Bridge
        self.furnish(**rules)

    def furnish(self, **rules: int | None) -> None:
        """A bridge as it is after a start of the server: it knows of no game."""
        self.bridge = make_bridge(self.venue, catalogue(), SECRET, rules=rules, clock=self.clock, box=self.box)

    @property
    def oak(self) -> list[str]:
        """The chairs of the first table."""
        return [chair.id for chair in self.venue.tables[0].chairs]

    @property
    def elm(self) -> list[str]:
        return [chair.id for chair in self.venue.tables[1].chairs]

    @property
    def bench(self) -> str:
        return self.venue.tables[0].observers[0].id

    # -- what the module posts ---------------------------------------------------------------------------

    async def send(self, **event: Any) -> dict[str, Any]:
        """Post an event with the module's cursor, and do what is answered."""
        since = {} if self.module.cursor is None else {"since": self.module.cursor}
        answer = await self.bridge.post(json.dumps({**event, **since}).encode())
        if not since:
            answer = await self.bridge.commands(None, 0)
        self.module.apply(answer)
        return answer

    async def use(self, player: str, object: str, type: str = "chair_used") -> dict[str, Any]:
        payload = {"area": object.partition(":")[0], "object": object}
        return await self.send(type=type, player=named(player), payload=payload, id=f"e{next(self.ids)}")

    async def leave(self, player: str, chair: str) -> None:
        await self.use(player, chair, "chair_left")

    async def watch(self, player: str) -> None:
        await self.use(player, self.bench, "observer_used")

    async def quit(self, player: str) -> None:
        await self.send(type="player_left", player=named(player))

    async def destroy(self, object: str) -> None:
        await self.send(type="placeable_destroyed", payload={"area": object.partition(":")[0], "object": object})

    async def click(self, player: str, button: str, window: str = PLAYER) -> None:
        await self.send(type="click", player=named(player), window=window, element=button, index=-1)

    async def tick(self, player: str, *dice: int, ticked: bool = True) -> None:
        for die in dice:
            window = self.module.windows.get((player, PLAYER))
            if window is not None:
                window.binds[f"tick{die}"] = ticked  # the client shows it before anybody else knows
            await self.send(
                type="watch", player=named(player), window=PLAYER, element=f"tick{die}", payload={"value": ticked}
            )

    async def poll(self, wait_s: float = 0) -> None:
        self.module.apply(await self.bridge.commands(self.module.cursor, wait_s))

    # -- what players see --------------------------------------------------------------------------------

    def sees(self, player: str, *binds: str, window: str = PLAYER) -> Any:
        shown = self.module.windows[player, window].binds
        return shown[binds[0]] if len(binds) == 1 else [shown[name] for name in binds]

    def has_window(self, player: str, window: str = PLAYER) -> bool:
        return (player, window) in self.module.windows

    async def code(self, asked: Coroutine[Any, Any, Any]) -> str:
        """The code of a refusal, which has a sentence and sends nothing."""
        before = self.bridge.log.last
        with pytest.raises(Refused) as refused:
            await asked
        assert refused.value.sentence
        assert self.bridge.log.last == before
        return str(refused.value.code)

    # -- stories -----------------------------------------------------------------------------------------

    async def lobby(self, *players: str) -> None:
        for number, player in enumerate(players):
            await self.use(player, self.oak[number])

    async def play(self, *players: str, rolls: Sequence[Faces] = ()) -> None:
        """A game that has started, in the order of the chairs, whose first rolls are named."""
        self.box.named = {1: (1,) * (len(players) - 1), **dict(enumerate(rolls, 2))}
        await self.lobby(*players)
        await self.click(players[0], "start")

    async def until(self, ms: int) -> None:
        await asyncio.sleep((START_MS + ms - self.clock.now()) / 1000)
        await self.poll()


def named(player: str) -> dict[str, str]:
    return {"key": player, "name": player.title()}


def in_a_world(
    **rules: int | None,
) -> Callable[[Callable[Concatenate[World, P], Coroutine[Any, Any, None]]], Callable[P, None]]:
    """Run a test in a world of its own; nothing in it may fail unseen."""

    def made(test: Callable[Concatenate[World, P], Coroutine[Any, Any, None]]) -> Callable[P, None]:
        def visited(*args: P.args, **kwargs: P.kwargs) -> None:
            world, unseen = World(**rules), list[dict[str, Any]]()

            async def whole() -> None:
                asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
                await world.bridge.start()
                await test(world, *args, **kwargs)
                await world.bridge.stop()

            run(whole(), world.clock)
            assert not unseen, unseen

        visited.__name__, visited.__doc__, visited.__module__ = test.__name__, test.__doc__, test.__module__
        signature = inspect.signature(test)
        kept = [parameter for name, parameter in signature.parameters.items() if name != "world"]
        visited.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return visited

    return made
