"""Two real nodes and a real proxy in front of them: a node may be killed or restarted, and every game goes on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from dicehall.client.hall import HallClient
from dicehall.client.network import connect
from dicehall.client.talk import Patience
from tools.balancer import Balancer
from tools.nodes import Node, Nodes

WAIT_S = 300
PAUSE_S = 0.05
GOAL = 40
PATIENT = Patience(first=0.05, most=1.0, gives_up=WAIT_S, tries=60)


@dataclass(slots=True)
class Player:
    """Plays anything that is allowed, and keeps what the hall has acknowledged."""

    hall: HallClient
    chance: Random
    acknowledged: list[Any] = field(default_factory=list)
    seat: int | None = None

    async def play(self, table: str) -> dict[str, Any]:
        self.acknowledged = []
        while True:
            shown = await self.hall.look(table)
            self.seat = shown["me"]
            if shown["over"]:
                return shown
            choices = [choice for choice in shown["choices"].get(str(self.seat), []) if choice != "fold"]
            if choices:
                await asyncio.sleep(PAUSE_S)
                move = self.chance.choice(choices)
                await self.hall.act(table, move)
                self.acknowledged.append(move)
            else:
                await self.hall.news(table, shown["n"])


@dataclass(slots=True)
class Team:
    """Two people, each with a connection of their own, who play one game after the other."""

    players: list[Player]
    moves: int = 0
    games: int = 0

    async def play_on(self, enough: asyncio.Event) -> None:
        """Until it is enough, and the last game is over."""
        while not enough.is_set():
            first, second = self.players
            table = (await first.hall.open("wards", rules={"goal": GOAL}, seats=2))["id"]
            for player in self.players:
                await player.hall.sit(table)
            ends = await asyncio.gather(first.play(table), second.play(table))
            await self.check_game(table, ends)

    async def check_game(self, table: str, ends: Sequence[dict[str, Any]]) -> None:
        """Both saw one end, the record holds each acknowledged move once and no other, and nobody ran out of time."""
        assert ends[0]["over"] == ends[1]["over"]
        assert ends[0]["over"]["reason"] == "goal"
        record, other = [await player.hall.record(table) for player in self.players]
        assert record == other
        for player in self.players:
            stored = [entry["move"] for entry in record["entries"] if entry.get("seat") == player.seat]
            assert stored == player.acknowledged
            self.moves += len(stored)
        self.games += 1


async def new_team(stack: AsyncExitStack, url: str, number: int) -> Team:
    players = []
    for name in ("Ann", "Bo"):
        hall = await stack.enter_async_context(connect(url, PATIENT))
        await hall.guest(f"{name} {number}")
        players.append(Player(hall, Random(f"{name} {number}")))
    return Team(players)


async def play_meanwhile(
    url: str, tables: int, change: Callable[[Callable[[], Awaitable[None]]], Awaitable[None]]
) -> None:
    """So many tables are played at while *change* does its work; it can wait until something was played everywhere."""
    enough = asyncio.Event()
    async with AsyncExitStack() as stack:
        teams = [await new_team(stack, url, number) for number in range(tables)]
        playing = [asyncio.create_task(team.play_on(enough)) for team in teams]

        async def until_played() -> None:
            """A whole game at every table, begun before this or after."""
            wanted = [team.games + 1 for team in teams]
            while any(team.games < games for team, games in zip(teams, wanted, strict=True)):
                for task in playing:
                    if task.done():
                        await task  # which says why
                await asyncio.sleep(PAUSE_S)

        await change(until_played)
        enough.set()
        await asyncio.gather(*playing)
    assert all(team.moves for team in teams)


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, WAIT_S))


@pytest.mark.proof
@pytest.mark.parametrize("with_nginx", [True, False], ids=["nginx", "balancer"])
def test_games_go_on_while_one_node_is_killed_and_then_the_other(with_nginx: bool) -> None:
    with Nodes(with_nginx=with_nginx) as hall:

        async def kill_one_after_the_other(until_played: Callable[[], Awaitable[None]]) -> None:
            for node in hall.nodes:
                node.kill()
                await until_played()
                node.start_again()
                await asyncio.to_thread(node.wait_till_ready)

        run(play_meanwhile(hall.url, 1, kill_one_after_the_other))


@pytest.mark.proof
def test_a_rolling_restart_under_load_loses_nothing_that_was_acknowledged() -> None:
    with Nodes() as hall:

        async def restart_one_after_the_other(until_played: Callable[[], Awaitable[None]]) -> None:
            for node in hall.nodes:
                await drain(node)
                node.start_again()
                await asyncio.to_thread(node.wait_till_ready)
                await until_played()

        run(play_meanwhile(hall.url, 6, restart_one_after_the_other))


@pytest.mark.proof
def test_games_go_on_after_the_database_was_killed_and_started_again() -> None:
    with Nodes() as hall:

        async def kill_the_database(until_played: Callable[[], Awaitable[None]]) -> None:
            hall.database.process.kill()
            hall.database.process.wait()
            while not hall.database.is_running:
                hall.look_after()
                await asyncio.sleep(PAUSE_S)
            await until_played()

        run(play_meanwhile(hall.url, 2, kill_the_database))


async def drain(node: Node) -> None:
    command = (sys.executable, "-m", "dicehall", "drain", "--port", str(node.port))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    assert process.returncode == 0
    assert said.startswith(b"The server on port")
    assert await asyncio.to_thread(node.child.process.wait, WAIT_S) == 0


# -- the proxy that is used where there is no nginx ------------------------------------------------------------


async def line_of(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello\n")
    read = await reader.read()
    writer.close()
    return read


def greeter(name: bytes) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(name + b": " + await reader.readline())
        await writer.drain()
        writer.close()

    return greet


def test_connections_go_to_the_nodes_in_turn_and_past_one_that_is_down() -> None:
    async def story() -> None:
        one, other = [await asyncio.start_server(greeter(name), "127.0.0.1", 0) for name in (b"one", b"other")]
        ports = [server.sockets[0].getsockname()[1] for server in (one, other)]
        front = await Balancer(ports).listen(0)
        port = front.sockets[0].getsockname()[1]
        assert {await line_of(port), await line_of(port)} == {b"one: hello\n", b"other: hello\n"}
        one.close()
        assert [await line_of(port) for _ in range(3)] == [b"other: hello\n"] * 3
        other.close()
        with suppress(ConnectionError):
            assert await line_of(port) == b""
        front.close()

    asyncio.run(asyncio.wait_for(story(), WAIT_S))
