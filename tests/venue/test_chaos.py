"""Players who do anything at any time: nothing breaks, and what they see is always what the tables are."""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest

from dicehall.core.game import Refused
from dicehall.venue.nui_schema import check
from tests.venue.world import PLAYER, World, in_a_world

PLAYERS = ("ann", "bo", "cy", "di", "eve", "flo")
STEPS = 160


async def step(world: World, chance: Random) -> None:
    player = chance.choice(PLAYERS)
    chairs = world.oak[:4] + world.elm
    match chance.choices(("use", "leave", "watch", "quit", "click", "tick", "close", "wait", "late"), WEIGHTS)[0]:
        case "use":
            await world.use(player, chance.choice(chairs))
        case "leave":
            await world.leave(player, chance.choice(chairs))
        case "watch":
            await world.watch(player)
        case "quit":
            world.module.windows = {at: window for at, window in world.module.windows.items() if at[0] != player}
            await world.quit(player)
        case "click":
            await world.click(player, chance.choice(("start", "start", "roll", "bank", "fold", "yes", "no")))
        case "tick":
            await world.tick(player, chance.randrange(6), ticked=chance.random() < 0.8)
        case "close":
            known = world.module.windows.pop((player, PLAYER), None)
            if known is not None:
                await world.send(type="close", player={"key": player, "name": player}, window=PLAYER)
        case "wait":
            await asyncio.sleep(chance.choice((0.5, 5, 31)))
        case "late":
            await world.bridge.commands(chance.choice((None, "nothing.1", world.module.cursor)), 0)


WEIGHTS = (10, 5, 2, 1, 24, 16, 1, 3, 1)


async def catch_up(world: World) -> None:
    before = None
    while world.module.cursor != before:
        before = world.module.cursor
        await world.poll()


def check_windows(world: World) -> None:
    """The module shows what the bridge believes it shows, and a client could show it."""
    believed = {at: window for at, window in world.bridge.places.windows.open.items() if not window.closed}
    assert set(world.module.windows) == set(believed)
    for at, window in world.module.windows.items():
        assert window.binds == believed[at].binds
        json.dumps(window.binds)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_players_do_the_windows_show_the_tables(seed: int) -> None:
    """A12-A17."""

    @in_a_world(goal=1500, grace_seconds=20)
    async def story(world: World) -> None:
        chance = Random(seed)
        codes = set()
        await world.poll()
        for _ in range(STEPS):
            try:
                await step(world, chance)
            except Refused as refused:
                codes.add(str(refused.code) if refused.sentence else "no sentence")
            await catch_up(world)
            check_windows(world)
        for window in world.module.windows.values():
            check(window.nui, window.binds)
        assert not codes & {"no sentence", "store_unavailable", "malformed", "wrong_dice"}
        assert len(codes) > 3
        await destroy_everything(world)

    story()


async def destroy_everything(world: World) -> None:
    for table in world.venue.tables:
        await world.destroy(table.id)
    await catch_up(world)
    playing = [window for window in world.module.windows if window[1] == PLAYER]
    assert all(world.bridge.places.windows.open[at].game.phase == "Ended" for at in playing)
    assert world.bridge.tables() == {"tables": []}
    assert world.bridge.places.sides == {}
