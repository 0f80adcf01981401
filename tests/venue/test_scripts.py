"""The sample scripts for a module: compiled by the game's own compiler, and their bytecode run against the bridge."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from dicehall.core.game import Refused
from dicehall.server.limits import Limits
from dicehall.venue.nui_schema import check
from tests.venue.engine import SCRIPTS, Engine, NuiWindow, Request, Thing, compiled
from tests.venue.world import ONE, SECRET, World, in_a_world


def test_every_script_compiles() -> None:
    names = [file.stem for file in SCRIPTS.glob("*.nss") if file.stem != "dh_inc"]
    assert len(names) == 7
    for name in names:
        code, debug = compiled(name)
        assert code.startswith(b"NCS V1.0")
        assert debug.startswith("NDB V1.0")


def test_names_of_scripts_fit_into_a_module() -> None:
    assert all(len(file.stem) <= 16 for file in SCRIPTS.glob("*.nss"))


class Server:
    """A game server with the scripts in its module, and the tavern of the sample venue."""

    def __init__(self, world: World) -> None:
        self.world, self.engine = world, Engine(SECRET)
        self.reachable = True
        self.limits = Limits(world.clock)
        area = self.engine.add(name="griffin")
        spots = [spot for table in world.venue.tables for spot in (*table.chairs, *table.observers, table.table)]
        self.things = {
            spot.id: self.engine.add(tag=spot.tag, area=area, position=(spot.x, spot.y, spot.z))
            for spot in spots
            if spot is not None
        }

    async def load(self) -> None:
        self.engine.run("dh_load")
        await self.settle()

    async def settle(self) -> None:
        """Let the bridge answer, one request after the other as the plugin sends them, until nothing is asked."""
        while self.engine.requests:
            await self.answer(self.engine.requests.pop(0))

    async def answer(self, request: Request) -> None:
        if not self.reachable:
            return self.engine.answer(request, False, RESPONSE="Failed to make a client request with server.")
        assert self.world.bridge.admits(request.token)
        try:
            answer = await self.answered(request)
        except Refused as refused:
            error = {"code": str(refused.code), "message": refused.sentence, **refused.more}
            return self.engine.answer(request, False, STATUS="409", RESPONSE=json.dumps({"error": error}))
        self.engine.answer(request, True, STATUS="200", RESPONSE=json.dumps(answer))

    async def answered(self, request: Request) -> Any:
        if request.method == "POST":
            return await self.world.bridge.post(request.data.encode(), self.limits.take)
        if request.path == "/nwn/tables":
            return self.world.bridge.tables()
        query = parse_qs(urlsplit(request.path).query)
        assert query["wait"] == ["0"]
        return await self.world.bridge.commands(query["since"][0], 0)

    async def wait(self, ms: int) -> None:
        """Time passes: polls are sent again, and heartbeats come."""
        await self.world.until(self.world.clock.now() - 1_700_000_000_000 + ms)
        self.engine.wait()
        await self.settle()

    async def beat(self) -> None:
        self.engine.run("dh_beat")
        await self.settle()

    def thing(self, id: str) -> Thing:
        return self.things[id]

    async def use(self, player: Thing, id: str, *, sits: bool = True) -> None:
        if sits:
            player.locals["walks to"] = self.thing(id).id
        self.engine.use(player, self.thing(id))
        await self.settle()

    async def click(self, player: Thing, element: str) -> None:
        self.engine.click(player, element)
        await self.settle()

    async def tick(self, player: Thing, die: int) -> None:
        self.engine.tick(player, die)
        await self.settle()


def seen(player: Thing, *binds: str, window: str = "aetharn") -> Any:
    shown = shown_to(player, window).binds
    return shown[binds[0]] if len(binds) == 1 else [shown[name] for name in binds]


def shown_to(player: Thing, window: str = "aetharn") -> NuiWindow:
    found = player.window(window)
    assert found is not None
    return found


def with_scripts(
    **rules: int | None,
) -> Callable[[Callable[[World, Server], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """A module that has just been loaded."""

    def made(test: Callable[[World, Server], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        @in_a_world(**rules)
        async def loaded(world: World) -> None:
            server = Server(world)
            await server.load()
            await test(world, server)

        loaded.__name__, loaded.__doc__ = test.__name__, test.__doc__
        return loaded

    return made


@with_scripts()
async def test_when_the_module_loads_every_object_gets_its_id_and_its_scripts(world: World, server: Server) -> None:
    for id, thing in server.things.items():
        assert thing.locals["string dh_id"] == id
    assert server.thing(world.oak[0]).scripts == {9002: "dh_gone", 9012: "dh_used"}
    assert server.thing(world.venue.tables[0].id).scripts == {9002: "dh_gone"}
    assert server.engine.log == ["Dicehall: 2 tables."]
    assert server.engine.delayed == []  # nobody is there, so nothing is asked for


@with_scripts(goal=100)
async def test_a_whole_game_is_played_in_the_windows_of_the_module(world: World, server: Server) -> None:
    """A10."""
    world.box.named = {1: (1,), 2: ONE}
    ann, bo, eve = (server.engine.enter(name) for name in ("Ann", "Bo", "Eve"))
    await server.use(ann, world.oak[0])
    await server.use(bo, world.oak[1])
    await server.wait(1_000)
    assert seen(ann, "board_name", "start_on") == [["Ann (you)", "Bo"], True]
    await server.click(ann, "start")
    await server.use(eve, world.bench, sits=False)
    await server.click(ann, "roll")
    assert ann.messages == ["Turn order: Ann and Bo. Ann goes first."]
    await server.tick(ann, 0)
    assert seen(ann, "selected", "bank_on") == ["Selected: [1] = 100 pts", True]
    await server.wait(1_500)
    assert seen(eve, "die0_one", "timer", window="aetharnwatch") == [True, "0:29"]
    for player, window in ((ann, "aetharn"), (bo, "aetharn"), (eve, "aetharnwatch")):
        check(shown_to(player, window).nui, shown_to(player, window).binds)
    await server.click(ann, "bank")
    await server.wait(1_000)
    assert seen(bo, "status", "start_label") == ["Ann wins!", "NEW GAME"]
    assert bo.messages[-1] == "Ann wins! Final standings: Ann and Bo."


@with_scripts()
async def test_somebody_who_is_refused_reads_why(world: World, server: Server) -> None:
    ann, bo = server.engine.enter("Ann"), server.engine.enter("Bo")
    await server.use(ann, world.oak[0])
    await server.use(bo, world.oak[0])
    assert bo.messages == ["That seat is taken by Ann."]
    assert bo.windows == {}
    await server.click(ann, "start")
    assert ann.messages == ["aetharn needs at least 2 seats."]


@with_scripts()
async def test_the_heartbeat_notices_who_has_left_a_chair(world: World, server: Server) -> None:
    """A12."""
    ann, bo = server.engine.enter("Ann"), server.engine.enter("Bo")
    await server.use(ann, world.oak[0], sits=False)  # still on the way there
    await server.use(bo, world.oak[1])
    await server.click(bo, "start")
    await server.beat()
    await server.beat()
    assert not any(seen(bo, "board_note")[at].startswith("absent") for at in range(2))
    ann.sits_on = server.thing(world.oak[0])
    await server.beat()
    ann.sits_on = None
    await server.beat()
    await server.wait(1_000)
    assert any(note.startswith("absent") for note in seen(bo, "board_note"))
    assert ann.messages[-1] == "Ann has left the table and has 60 s to come back."
    await server.use(ann, world.oak[4])
    await server.wait(1_000)
    assert not any(note.startswith("absent") for note in seen(bo, "board_note"))


@with_scripts()
async def test_somebody_who_never_sits_down_has_not_taken_the_chair(world: World, server: Server) -> None:
    ann = server.engine.enter("Ann")
    await server.use(ann, world.oak[0], sits=False)
    for _ in range(3):
        await server.beat()
    assert ann.windows == {}
    assert world.bridge.tables()["tables"][0]["phase"] == "Empty"


@with_scripts(turn_seconds=200)
async def test_a_player_who_leaves_the_server_is_absent_and_polls_go_on_for_the_others(
    world: World, server: Server
) -> None:
    """A12."""
    ann, bo = server.engine.enter("Ann"), server.engine.enter("Bo")
    await server.use(ann, world.oak[0])
    await server.use(bo, world.oak[1])
    await server.click(bo, "start")
    server.engine.leave(ann)
    await server.settle()
    for _ in range(8):
        await server.wait(9_000)
    assert bo.messages[-1] == "Bo wins! Final standings: Bo and Ann."
    assert bo.messages[-2] == "Ann is out of the game (Disconnected); 1 player is left."


@with_scripts()
async def test_a_window_that_was_closed_comes_back_when_the_chair_is_used(world: World, server: Server) -> None:
    ann = server.engine.enter("Ann")
    await server.use(ann, world.oak[0])
    server.engine.close(ann)
    await server.settle()
    await server.use(server.engine.enter("Bo"), world.oak[1])
    await server.wait(1_000)
    assert ann.windows == {}
    await server.use(ann, world.oak[0])
    assert seen(ann, "board_name") == ["Ann (you)", "Bo"]


@with_scripts()
async def test_a_destroyed_table_closes_its_windows(world: World, server: Server) -> None:
    """A15."""
    ann = server.engine.enter("Ann")
    await server.use(ann, world.oak[0])
    server.engine.destroy(server.thing(world.venue.tables[0].id))
    await server.settle()
    assert ann.windows == {}
    assert ann.messages == ["The table was destroyed: the game is abandoned."]


@with_scripts()
async def test_what_cannot_be_sent_is_sent_again_and_counts_once(world: World, server: Server) -> None:
    ann, bo = server.engine.enter("Ann"), server.engine.enter("Bo")
    await server.use(ann, world.oak[0])
    server.reachable = False
    await server.use(bo, world.oak[1])
    assert bo.windows == {}
    server.reachable = True
    await server.wait(3_000)
    assert seen(ann, "board_name") == ["Ann (you)", "Bo"]
    assert seen(bo, "board_name") == ["Ann", "Bo (you)"]


@with_scripts()
async def test_somebody_who_clicks_all_the_time_holds_up_nobody(world: World, server: Server) -> None:
    ann, bo = server.engine.enter("Ann"), server.engine.enter("Bo")
    await server.use(ann, world.oak[0])
    await server.beat()
    for _ in range(70):
        await server.click(ann, "no")
    assert ann.messages[-1].startswith("Too many")
    await server.use(bo, world.oak[1])
    assert seen(bo, "board_name") == ["Ann", "Bo (you)"]
    ann.sits_on = None
    await server.beat()
    await server.wait(1_000)
    assert seen(bo, "board_name") == ["Bo (you)"]


@with_scripts()
async def test_one_player_does_not_fill_the_queue_of_the_module(world: World, server: Server) -> None:
    ann, bo = server.engine.enter("Ann"), server.engine.enter("Bo")
    await server.use(ann, world.oak[0])
    server.reachable = False
    for _ in range(30):
        server.engine.click(ann, "no")
    assert len(server.engine.module.locals["json dh_queue"]) == 12
    await server.use(bo, world.oak[1])
    server.reachable = True
    await server.wait(3_000)
    assert seen(bo, "board_name") == ["Ann", "Bo (you)"]


@with_scripts()
async def test_a_module_that_is_loaded_anew_has_what_was_destroyed(world: World, server: Server) -> None:
    table = world.venue.tables[0].id
    old = server.thing(table)
    server.engine.destroy(old)
    await server.settle()
    server.things[table] = server.engine.add(tag=old.tag, area=old.area, position=old.position)
    await server.load()
    assert server.thing(table).locals["string dh_id"] == table
    ann = server.engine.enter("Ann")
    await server.use(ann, world.oak[0])
    assert seen(ann, "board_name") == ["Ann (you)"]


@with_scripts()
async def test_after_a_restart_of_the_bridge_the_module_closes_its_windows(world: World, server: Server) -> None:
    """A20."""
    ann = server.engine.enter("Ann")
    await server.use(ann, world.oak[0])
    assert ann.windows != {}
    await world.bridge.stop()
    world.furnish()
    await world.bridge.start()
    await server.wait(1_000)
    assert ann.windows == {}
    await server.use(ann, world.oak[0])
    assert seen(ann, "board_name") == ["Ann (you)"]


@pytest.mark.parametrize("missing", ["table", "chair"])
def test_an_object_that_is_not_there_is_logged(missing: str) -> None:
    @in_a_world()
    async def story(world: World) -> None:
        server = Server(world)
        table = world.venue.tables[0]
        gone = table.id if missing == "table" else table.chairs[0].id
        del server.engine.things[server.thing(gone).id]
        await server.load()
        assert server.engine.log == [f"Dicehall: there is no {gone}", "Dicehall: 2 tables."]

    story()
