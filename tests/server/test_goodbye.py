"""A server that is told to stop says so first, and its clients come back by themselves."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as connect_socket

from dicehall.client.sync import connect
from dicehall.core.game import Refused
from dicehall.games import catalogue
from dicehall.launch.serving import put_together
from dicehall.server.parts import Settings
from dicehall.store.sqlite import SqliteJournal
from dicehall.table.requests import Settle
from tests.server.running import running_server


def test_a_server_that_stops_says_goodbye_and_when_to_come_back(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, connect_socket(server.socket_url, proxy=None) as socket:
        socket.send(json.dumps({"id": 1, "do": "ping"}))
        socket.recv(timeout=10)
        server.stop()
        told = json.loads(socket.recv(timeout=10))
        assert told["retry_ms"] > 0
        assert told["bye"]
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012


def test_from_the_goodbye_on_nothing_is_decided(tmp_path: Path) -> None:
    """C5: people cannot act any more, so no clock of theirs may run out either."""

    async def say_goodbye() -> str:
        running = put_together(SqliteJournal(tmp_path / "hall.db"), catalogue(), Settings())
        await running.start()
        await running.sockets.stop()
        with pytest.raises(Refused) as refused:
            await running.host.ask("t", Settle())
        await running.stop()
        return str(refused.value.code)

    assert asyncio.run(say_goodbye()) == "shutting_down"


def test_a_client_outlives_a_server_that_is_stopped_and_one_that_is_killed(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, connect(server.url) as hall:
        me = hall.guest("Ann")
        table = hall.open("wards", bots=[{"seat": 1, "level": "random"}])["id"]
        hall.sit(table)
        heard = iter(hall.updates(table))
        numbers = [next(heard).n]
        for end in (server.stop, server.kill):
            end()
            server.start()
            assert hall.look(table)["seats"][hall.look(table)["me"]]["account"] == me["id"]
            numbers.append(next(heard).n)
        assert numbers == list(range(numbers[0], numbers[0] + 3))
