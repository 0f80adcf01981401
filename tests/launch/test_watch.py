"""``dicehall watch`` and ``dicehall play --server`` in plain lines, against a real server on a real port."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from dicehall.client.sync import SyncHall, connect
from dicehall.games import catalogue
from dicehall.launch.full_screen import play_online
from dicehall.launch.output import Failed
from dicehall.launch.watch import watch_screen
from tests.launch.running import COMMAND, environment, run
from tests.security.live import LiveHall, live_hall

WAIT_S = 60


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHall]:
    with live_hall(tmp_path_factory.mktemp("hall")) as live:
        yield live


class Running:
    """A command whose lines are read as they come."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.out: list[str] = []

    def until(self, text: str) -> str:
        for line in self.stream:
            self.out.append(line.rstrip("\n"))
            if text in line:
                return self.out[-1]
        raise AssertionError(f"{text!r} did not come: {self.out}")

    @property
    def stream(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def rest(self) -> tuple[int, list[str]]:
        self.out += [line.rstrip("\n") for line in self.stream]
        return self.process.wait(WAIT_S), self.out


@contextmanager
def running(*argv: str, data: Path) -> Iterator[Running]:
    pipe = subprocess.PIPE
    env = {**environment(), "DICEHALL_DATA": str(data), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([*COMMAND, *argv], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=env)
    timer = threading.Timer(WAIT_S, process.kill)  # so that a command that hangs fails its test
    timer.start()
    try:
        with process:
            yield Running(process)
            process.kill()
    finally:
        timer.cancel()


@contextmanager
def people(hall: LiveHall, *names: str) -> Iterator[list[SyncHall]]:
    clients = [connect(hall.url) for _ in names]
    for client, name in zip(clients, names, strict=True):
        client.__enter__()
        client.guest(name)
    try:
        yield clients
    finally:
        for client in clients:
            client.__exit__()


def started(ann: SyncHall, bo: SyncHall, **rules: int | None) -> str:
    """A game of two people at a new table."""
    table = str(ann.open("wards", rules={"turn_seconds": None, "goal": 2, **rules})["id"])
    shown = [client.sit(table) for client in (ann, bo)][-1]
    while shown["phase"] == "lobby":
        ann.news(table, shown["n"])
        shown = ann.look(table)
    return table


def finish(ann: SyncHall, bo: SyncHall, table: str) -> None:
    while (shown := ann.look(table))["phase"] == "playing":
        (seat,) = shown["view"]["turn"]
        client = ann if shown["me"] == seat else bo
        client.act(table, "hold" if shown["view"]["round_score"] else "roll")


def test_a_spectator_hears_the_game_to_its_end(hall: LiveHall, tmp_path: Path) -> None:
    with people(hall, "Ann", "Bo") as (ann, bo):
        table = started(ann, bo)
        with running("watch", f"{hall.url}/t/{table}", data=tmp_path) as watching:
            watching.until("The goal is 2.")
            finish(ann, bo, table)
            code, out = watching.rest()
    assert code == 0
    assert out[0] == f"Dice Wards at table {table}."
    assert any("rolls a" in line for line in out)
    assert "The game is over." in out


def test_a_program_gets_the_table_every_update_and_the_end_as_json(hall: LiveHall, tmp_path: Path) -> None:
    with people(hall, "Ann", "Bo") as (ann, bo):
        table = started(ann, bo)
        with running("watch", f"{hall.url}/t/{table}", "--json", data=tmp_path) as watching:
            watching.until('{"table":')
            finish(ann, bo, table)
            code, out = watching.rest()
    first, *updates, last = (json.loads(line) for line in out)
    assert code == 0
    assert first["table"]["id"] == table
    assert [update["n"] for update in updates] == list(range(first["table"]["n"] + 1, updates[-1]["n"] + 1))
    assert (last["phase"], last["over"]["reason"]) == ("over", "goal")


def test_a_spectator_who_comes_early_waits_for_the_start(hall: LiveHall, tmp_path: Path) -> None:
    with people(hall, "Ann", "Bo") as (ann, bo):
        table = str(ann.open("wards", rules={"turn_seconds": None, "goal": 2})["id"])
        ann.sit(table)
        with running("watch", f"{hall.url}/t/{table}", data=tmp_path) as watching:
            watching.until("1 free seat. Waiting for the game to start.")
            bo.sit(table)
            watching.until("The game begins: ")
            finish(ann, bo, table)
            assert watching.rest()[0] == 0


def test_a_game_that_is_over_shows_its_result_at_once(hall: LiveHall, tmp_path: Path) -> None:
    with people(hall, "Ann", "Bo") as (ann, bo):
        table = started(ann, bo)
        finish(ann, bo, table)
    ran = run("watch", f"{hall.url}/t/{table}")
    assert ran.code == 0
    assert "The game is over.\n1. " in ran.out


@pytest.mark.parametrize(
    ("link", "code", "said"),
    [
        ("nonsense", 2, "'nonsense' is not the address of a server. One looks like http://127.0.0.1:8000"),
        ("ftp://example.org/t/x", 2, "is not the address of a server."),
        ("{hall}", 2, "This link names no table. The link of a table looks like {hall}/t/TABLE"),
        ("{hall}/t/nosuchtable1", 2, "There is no table 'nosuchtable1' at this server. Check the link."),
        ("{hall}/t/a/b?c", 2, "There is no table"),
    ],
)
def test_a_wrong_link_is_explained(hall: LiveHall, link: str, code: int, said: str) -> None:
    ran = run("watch", link.format(hall=hall.url))
    assert (ran.code, ran.out) == (code, "")
    assert said.format(hall=hall.url) in ran.err


NO_SERVER = "No Dicehall server answers at http://127.0.0.1:1. Check the address, and that the server is running."


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicehall.launch.server_connection.FIRST_SECONDS", 0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "command", [("watch", "http://127.0.0.1:1/t/x"), ("play", "wards", "--server", "http://127.0.0.1:1")]
)
def test_a_server_that_does_not_answer_is_named_in_one_sentence(command: tuple[str, ...]) -> None:
    ran = run(*command)
    assert (ran.code, ran.out, ran.err) == (1, "", f"dicehall: {NO_SERVER}\n")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "screen",
    [
        lambda: watch_screen("http://127.0.0.1:1", "x", catalogue()),
        lambda: play_online("http://127.0.0.1:1/t/x", "Ann", catalogue()),
    ],
    ids=["watch", "play"],
)
def test_no_screen_is_opened_where_no_server_answers(screen: Callable[[], int]) -> None:
    with pytest.raises(Failed) as failed:
        screen()
    assert (str(failed.value), failed.value.code) == (NO_SERVER, 1)


def test_a_friend_joins_by_the_link_and_plays_in_plain_lines(hall: LiveHall, tmp_path: Path) -> None:
    with people(hall, "Ann") as (ann,):
        table = str(ann.open("wards", rules={"turn_seconds": None, "goal": 2}, password="open sesame")["id"])
        ann.sit(table, password="open sesame")
        link = f"{hall.url}/t/{table}"
        with running("play", "--server", link, "--name", "Bo", "--password", "wrong", data=tmp_path) as refused:
            assert refused.rest()[0] == 2
        with running("play", "--server", link, "--name", "Bo", "--password", "open sesame", data=tmp_path) as bo:
            bo.until("The game begins: ")
            play_both(ann, bo, table)
            code, out = bo.rest()
    assert code == 0
    assert "The game is over." in out


def play_both(ann: SyncHall, bo: Running, table: str) -> None:
    """Ann over her own connection, Bo by what he types."""
    while (shown := ann.look(table))["phase"] == "playing":
        (seat,), held = shown["view"]["turn"], shown["view"]["round_score"] > 0
        if shown["me"] == seat:
            ann.act(table, "hold" if held else "roll")
        else:
            bo.until("  2. hold: ")  # numbers mean something once they are listed
            bo.type("2" if held else "1")
            ann.news(table, shown["n"])


def test_a_table_is_opened_against_a_bot_and_left(hall: LiveHall, tmp_path: Path) -> None:
    wanted = ("play", "wards", "--bot", "greedy", "--hints", "--server", hall.url)
    with running(*wanted, "--rules", "turn_seconds=none", "--name", "Cy", data=tmp_path) as cy:
        cy.until(f"{hall.url}/t/")
        cy.until("  2. hold: ")
        cy.type("hint")
        cy.until("The coach would type: roll (exact).")
        cy.type("fly")
        cy.until("There is no command 'fly'. Type roll, hold or help.")
        cy.type("quit")
        assert cy.rest()[0] == 0


def test_the_open_tables_of_a_server_are_listed_with_their_links(hall: LiveHall) -> None:
    with people(hall, "Ann") as (ann,):
        table = ann.open("wards", name="Ann's table", visibility="public")["id"]
        ann.sit(table)
        ran = run("play", "--server", hall.url)
    assert ran.code == 0
    assert f"Ann's table (wards): {hall.url}/t/{table}" in ran.out


@pytest.mark.parametrize("option", [("--save", "x"), ("--seed", "x"), ("--names", "A,B"), ("--json",)])
def test_what_only_games_on_this_machine_have_is_refused(option: tuple[str, ...]) -> None:
    ran = run("play", "--server", "http://127.0.0.1:1", *option)
    assert (ran.code, ran.out) == (2, "")
    assert "games on this machine" in ran.err


def test_a_lost_connection_comes_back_and_nothing_is_missed(hall: LiveHall, tmp_path: Path) -> None:
    with people(hall, "Ann", "Bo") as (ann, bo):
        table = started(ann, bo, goal=30)
        with running("watch", f"{hall.url}/t/{table}", "--json", data=tmp_path) as watching:
            watching.until('{"table":')
            hall.call(lambda: drop_sockets(hall))
            ann.act(table, "roll") if ann.look(table)["me"] in ann.look(table)["view"]["turn"] else bo.act(
                table, "roll"
            )
            watching.until('"Rolled"')
            hall.call(lambda: drop_sockets(hall))
            finish(ann, bo, table)
            code, out = watching.rest()
    assert code == 0
    numbers = [json.loads(line)["n"] for line in out[1:-1]]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def drop_sockets(hall: LiveHall) -> int:
    """Break every connection, as a router does that restarts; how many there were."""
    connections: list[Any] = list(hall.server.server_state.connections)
    for connection in connections:
        connection.transport.abort()
    return len(connections)
