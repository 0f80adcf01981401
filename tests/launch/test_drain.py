"""``dicehall drain``: a server is found by its port, leaves the proxy first, and ends when everything is stored."""

from __future__ import annotations

import json
import os
import signal
import time
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as connect_socket

from dicehall.client.sync import connect
from dicehall.launch.drain import ask_to_stop
from dicehall.launch.node_file import file_of, node_folder, running_node, running_nodes
from tests.launch.running import run
from tests.server.running import running_server

WAIT_S = 60


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def test_a_server_is_drained_by_its_port_and_started_again_where_it_was(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, connect(server.url) as hall:
        hall.guest("Ann")
        table = hall.open("wards", bots=[{"seat": 1, "level": "random"}])["id"]
        hall.sit(table)
        before = hall.look(table)["n"]
        assert server.process is not None
        ran = run("drain", "--port", str(server.port), "--json")
        assert (ran.code, ran.err) == (0, "")
        assert (ran.last["port"], ran.last["pid"]) == (server.port, server.process.pid)
        assert server.process.wait(WAIT_S) == 0
        assert running_nodes() == []
        server.start()
        assert hall.look(table)["n"] >= before


def test_a_server_that_drains_is_not_ready_but_serves_those_who_are_there(tmp_path: Path) -> None:
    with running_server(tmp_path, "--drain-wait", "600") as server:
        node = running_node(server.port)
        assert node is not None
        with connect_socket(server.socket_url, proxy=None) as socket:
            ask_to_stop(node)
            assert wait_till_not_ready(server.url) == "shutting_down"
            socket.send(json.dumps({"id": 1, "do": "ping"}))
            assert json.loads(socket.recv(timeout=WAIT_S))["re"] == 1
            with pytest.raises(InvalidStatus) as refused, connect_socket(server.socket_url, proxy=None):
                pass
            assert refused.value.response.status_code == 503  # so that a proxy tries another node
            late = run("drain", "--port", str(server.port), "--timeout", "1")
            assert late.code == 1
            assert "still draining" in late.err
            os.kill(node.pid, signal.SIGINT)  # a second signal: at once
            assert json.loads(socket.recv(timeout=WAIT_S))["bye"]
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=WAIT_S)


def wait_till_not_ready(url: str) -> str:
    while True:
        try:
            urllib.request.urlopen(f"{url}/readyz", timeout=WAIT_S).close()
        except HTTPError as error:
            code: str = json.loads(error.read())["error"]["code"]
            return code
        time.sleep(0.02)


def test_without_a_server_there_is_a_sentence() -> None:
    ran = run("drain", "--port", "8001")
    assert ran.code == 1
    assert ran.err == f"dicehall: No server of yours is running on port 8001 (looked in {node_folder()}).\n"


def test_what_a_killed_server_left_behind_names_nobody(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        server.kill()
        assert file_of(server.port).exists()
        assert run("drain", "--port", str(server.port)).code == 1
        assert not file_of(server.port).exists()


def test_a_folder_that_others_can_write_to_is_not_believed() -> None:
    node_folder().mkdir(mode=0o777)
    node_folder().chmod(0o777)
    ran = run("drain")
    assert ran.code == 2
    assert "only its owner" in ran.err


@pytest.mark.parametrize(
    "words", [("--port", "0"), ("--port", "x"), ("--timeout", "0"), ("--timeout", "1e9")], ids=" ".join
)
def test_numbers_out_of_range_are_refused(words: tuple[str, str]) -> None:
    ran = run("drain", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "whole number" in ran.err
