"""The example bots play all games to their end against each other, over a real server that may be killed meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from dicehall.client.sync import SyncHall, connect
from dicehall.client.talk import Patience
from tests.launch.running import environment, replayed
from tests.server.running import RunningServer, running_server

EXAMPLES = Path(__file__).parents[2] / "examples"
WAIT_S = 120
# game -> seats, how many of them are bots of the hall, quick house rules
GAMES: dict[str, tuple[int, int, dict[str, int | None]]] = {
    "wards": (2, 0, {"goal": 25}),
    "aetharn": (2, 0, {"goal": 500}),
    "tenthousand": (2, 0, {"goal": 1000, "opening": 0}),
    "doordice": (5, 3, {"rounds": 1}),
    "mana": (2, 0, {}),
}


def node() -> str:
    found = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    said = "node is missing, so examples/bot.mjs is not tried"
    if found is None and os.environ.get("CI") == "true":
        pytest.fail(said)
    if found is None:
        pytest.skip(said)
    return found


@contextmanager
def bot(example: str, server: RunningServer, *options: str) -> Iterator[subprocess.Popen[str]]:
    """One of the example bots as a process; it is gone at the end."""
    command = [sys.executable] if example.endswith(".py") else [node(), "--experimental-websocket"]
    process = subprocess.Popen(
        [*command, str(EXAMPLES / example), server.url, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def given_time(server: RunningServer) -> Iterator[None]:
    """A game that never ends must not hold up the tests: after a while there is no server any more."""
    timer = threading.Timer(WAIT_S, server.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0, err
    said: dict[str, Any] = json.loads(out)
    return said


def open_table(hall: SyncHall, game: str, **rules: int | None) -> dict[str, Any]:
    seats, bots, quick = GAMES[game]
    sitting = [{"seat": seats - 1 - number, "level": "random"} for number in range(bots)]
    return hall.open(game, seats=seats, rules={**quick, **rules}, bots=sitting)


def check_record(hall: SyncHall, table: dict[str, Any]) -> None:
    """What was played is a whole game by the rules, with the dice that were sealed when the table was opened."""
    answer = replayed(hall.record(table["id"]), "--check", "--seal", table["seal"])
    assert answer.code == 0, answer.out
    assert answer.last["over"] is not None


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.proof] if game == "doordice" else []) for game in GAMES]
)
def test_the_bots_play_every_game_to_its_end(server: RunningServer, game: str) -> None:
    with connect(server.url) as hall:
        hall.guest("Host")
        table = open_table(hall, game)
        at = ("--table", table["id"])
        with bot("bot.py", server, *at, "--name", "Py") as py, bot("bot.mjs", server, *at, "--name", "Js") as js:
            said = [finished(py), finished(js)]
        over = hall.look(table["id"])["over"]
        assert [one["over"] for one in said] == [over, over]
        assert said[0]["me"] != said[1]["me"]
        check_record(hall, table)
        rolls = sum("roll" in entry for entry in hall.record(table["id"])["entries"])
        assert said[0]["checked"] == rolls + table["drawn"]


def test_two_bots_that_look_for_a_game_find_each_other(tmp_path: Path) -> None:
    wanted = ("--game", "wards", "--seats", "2", "--rules", '{"goal": 10}')
    with running_server(tmp_path) as server, connect(server.url) as hall, ExitStack() as stack:
        js = stack.enter_context(bot("bot.mjs", server, *wanted))
        while not any(found["names"] for found in hall.find("wards", "lobby")):
            assert js.poll() is None
            time.sleep(0.05)
        py = stack.enter_context(bot("bot.py", server, *wanted))
        assert finished(py)["table"] == finished(js)["table"]


@pytest.mark.parametrize("game", ["tenthousand", pytest.param("mana", marks=pytest.mark.proof)])
def test_a_hall_that_is_killed_in_the_middle_costs_nobody_anything(tmp_path: Path, game: str) -> None:
    """C3, C5: the bots go on where they were, and every update is told once and in order."""
    longer = {"tenthousand": {"goal": 3000}, "mana": {"rounds": 9, "fight_once": 0}}[game]
    patience = Patience(gives_up=30)
    with running_server(tmp_path) as server, connect(server.url, patience) as hall, given_time(server):
        hall.guest("Host")
        table = open_table(hall, game, **longer)
        hall.watch(table["id"])
        at = ("--table", table["id"])
        with bot("bot.py", server, *at, "--name", "Py") as py, bot("bot.mjs", server, *at, "--name", "Js") as js:
            for expected, update in zip(count(2), hall.updates(table["id"]), strict=False):
                assert update.n == expected
                if update.n in (5, 12):  # while words are opened, and while they play
                    server.kill()
                    server.start()
                if hall.look(table["id"])["n"] == update.n and hall.look(table["id"])["over"]:
                    break
            said = [finished(py), finished(js)]
        assert said[0]["over"] == said[1]["over"] == hall.look(table["id"])["over"]
        check_record(hall, table)
