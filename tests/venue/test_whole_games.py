"""Whole games of Aetharn through the doors of the bridge, played by people who only see their windows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from dicehall.games import catalogue
from dicehall.launch.venue_bridge import make_bridge
from dicehall.server.limits import Limits
from dicehall.server.nwn import routes
from dicehall.venue.nui_schema import check
from dicehall.venue.sample import tavern
from tests.security.live import live_hall
from tests.server.doors import FREE
from tests.venue.patrons import GameServer
from tests.venue.world import PLAYER, SECRET, SPECTATOR, World, in_a_world, named

HEADERS = {"authorization": f"Bearer {SECRET}"}
LONG_S = 60


def through_the_doors(world: World) -> httpx.AsyncClient:
    """The real handlers, without a network, so that time is virtual."""
    app = Starlette(routes=routes(world.bridge, Limits(world.clock, dict(FREE)), 0))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://venue", headers=HEADERS)


def total(server: GameServer, player: str) -> int:
    """The points on the scoreboard."""
    names, scores = (server.sees(player, f"board_{what}") for what in ("name", "score"))
    return int(scores[names.index(f"{player.title()} (you)")].removesuffix(" pts"))


@in_a_world(goal=3000)
async def test_a_game_with_an_absence_a_return_a_removal_a_disconnection_and_a_spectator(world: World) -> None:
    """A10, A12, A13, A16, A17."""
    async with through_the_doors(world) as client:
        server = GameServer(client)
        await server.load()
        table = server.tables[0]
        players = ["ann", "bo", "cy", "di"]
        for player, chair in zip(players, table["chairs"], strict=False):
            await server.use(player, chair)
        await server.use("eve", table["observers"][0], "observer_used")
        await server.click("di", "start")

        for _ in range(8):
            for player in players:
                await server.play(player)
        await server.use("bo", table["chairs"][1], "chair_left")
        assert "absent" in str(server.sees("ann", "board_note"))
        for _ in range(6):
            for player in ("ann", "cy", "di"):
                await server.play(player)
        await server.use("bo", table["chairs"][5])  # back, in another chair
        assert "absent" not in str(server.sees("ann", "board_note"))

        await server.use("cy", table["chairs"][2], "chair_left")
        await server.send(type="player_left", player=named("di"))
        del server.module.windows["di", PLAYER]
        await asyncio.sleep(70)
        await server.catch_up()
        assert server.sees("ann", "board_note").count("removed") == 2
        told = server.module.messages_to("eve")
        assert "Cy is out of the game (Grace period expired); 3 players are left." in told
        assert "Di is out of the game (Disconnected); 2 players are left." in told
        for _ in range(400):
            if server.sees("ann", "start_shown"):
                break
            for player in ("ann", "bo"):
                await server.play(player)
        winner = server.sees("eve", "status", SPECTATOR)
        assert winner in ("Ann wins!", "Bo wins!")
        assert server.sees("bo", "status") == winner
        assert max(total(server, "ann"), total(server, "bo")) >= 3000
        assert server.module.messages_to("eve")[-1].startswith(winner)
        for window in server.module.windows.values():
            check(window.nui, window.binds)


@in_a_world(goal=1000)
async def test_two_tables_play_whole_games_at_once_and_again(world: World) -> None:
    async with through_the_doors(world) as client:
        server = GameServer(client)
        await server.load()
        seats = {"ann": (0, 0), "bo": (0, 1), "cy": (1, 0), "di": (1, 1), "flo": (1, 2)}
        for player, (table, chair) in seats.items():
            await server.use(player, server.tables[table]["chairs"][chair])
        for _ in range(2):
            await server.click("ann", "start")
            await server.click("cy", "start")
            for _ in range(300):
                for player in seats:
                    await server.play(player)
                if server.sees("ann", "start_shown") and server.sees("cy", "start_shown"):
                    break
            assert server.sees("bo", "start_label") == server.sees("flo", "start_label") == "NEW GAME"
            for player in seats:
                await server.click(player, "start")
        assert [len(server.sees(player, "board_name")) for player in ("ann", "cy")] == [2, 3]


@pytest.mark.proof
def test_a_game_over_real_http_with_an_absence_a_removal_and_a_return_to_another_chair(tmp_path: Path) -> None:
    """A10, A12, A16, A17."""
    bridge = make_bridge(tavern(), catalogue(), SECRET, rules={"goal": 1500, "grace_seconds": 1})

    async def story(url: str) -> None:
        async with httpx.AsyncClient(base_url=url, headers=HEADERS, timeout=LONG_S) as client:
            server = GameServer(client)
            await server.load()
            table = server.tables[0]
            for player, chair in zip(("ann", "bo", "cy"), table["chairs"], strict=False):
                await server.use(player, chair)
            await server.use("eve", table["observers"][0], "observer_used")
            await server.click("bo", "start")
            await server.use("cy", table["chairs"][2], "chair_left")
            while ("cy", PLAYER) in server.module.windows:
                await server.poll(20)
            assert "Cy is out of the game (Grace period expired); 2 players are left." in server.module.messages_to(
                "eve"
            )
            sit = {"type": "chair_used", "player": named("cy")}
            chair = {"area": "griffin", "object": table["chairs"][3]["id"]}
            assert await server.code(**sit, payload=chair) == "seat_is_out"
            await server.use("bo", table["chairs"][1], "chair_left")
            await server.use("bo", table["chairs"][4])
            while not server.sees("ann", "start_shown"):
                played = [await server.play(player) for player in ("ann", "bo")]
                if not any(played):
                    await server.poll(1)
            assert server.sees("eve", "status", SPECTATOR) == server.sees("ann", "status")
            assert server.sees("ann", "status") in ("Ann wins!", "Bo wins!")

    with live_hall(tmp_path, bridge=bridge) as hall:
        asyncio.run(story(f"http://127.0.0.1:{hall.port}"))


def test_a_server_that_stops_does_not_wait_for_polls(tmp_path: Path) -> None:
    bridge = make_bridge(tavern(), catalogue(), SECRET)

    async def poll(url: str, stop: Callable[[], None]) -> Any:
        async with httpx.AsyncClient(base_url=url, headers=HEADERS, timeout=LONG_S) as client:
            server = GameServer(client)
            await server.load()
            waiting = asyncio.create_task(server.ask("GET", f"/nwn/commands?since={server.module.cursor}&wait=25"))
            while not bridge.log.waiting:
                await asyncio.sleep(0.01)
            stop()
            return await waiting

    with live_hall(tmp_path, bridge=bridge) as hall:

        def stop() -> None:
            hall.server.should_exit = True

        answer = asyncio.run(poll(f"http://127.0.0.1:{hall.port}", stop))
    assert (answer["commands"], answer["reset"]) == ([], "")
