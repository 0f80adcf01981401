"""A server that is told to stop says so first, and its clients come back by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as connect_socket

from dicehall.client.sync import connect
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
