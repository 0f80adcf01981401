"""``dicehall mana demo``: a relay, the mint, the referee and two players, started for one match and stopped again."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import signal
import socket
import subprocess
import sys
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from dicehall.launch import mana_demo
from dicehall.nostr.keys import SecretKey
from dicehall.player.narration import Note
from dicehall.player.session import Outcome
from tests.launch.running import COMMAND, environment, run
from tests.player.services import line_with

WAIT_S = 120


def ports(told: str) -> set[int]:
    return {int(port) for port in re.findall(r"(?:ws|http)://127\.0\.0\.1:(\d+)", told)}


def is_closed(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) != 0


def test_the_demo_plays_a_match_shows_the_loot_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """Run in an empty folder with an empty home: nothing has to be set up for it."""
    ran = subprocess.run(
        [*COMMAND, "mana", "demo", "--fast"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(HOME=str(tmp_path), TMPDIR=str(tmp_path)),
        timeout=WAIT_S,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    *story, last = ran.stdout.splitlines()
    end: dict[str, Any] = json.loads(last)
    assert list(end) == ["match_id", "winner", "score", "total_damage", "loot", "redeemed"]
    assert end["winner"].startswith("npub1")
    assert (end["loot"], end["redeemed"]) == (1000, 1000)
    assert len(end["score"]) == len(end["total_damage"]) == 2
    told = "\n".join(story)
    for part in ("Ann challenges Bo", "Bo accepts Ann's challenge", "reveals unit", "Round 1: ", "redeems 1000 loot"):
        assert part in told
    assert "the referee was right" in told
    assert len(ports(told)) == 3
    assert all(map(is_closed, ports(told)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.proof
def test_ctrl_c_stops_the_demo_and_all_it_started(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "mana", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(TMPDIR=str(tmp_path)),
    )
    told = "".join(line_with(process, pattern) for pattern in ("The relay is at", "and the referee"))
    line_with(process, "Ann challenges Bo")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert len(ports(told)) == 3
    assert all(map(is_closed, ports(told)))
    assert list(tmp_path.iterdir()) == []


def test_with_json_only_the_last_line_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def played(folder: Path, tell: Any, pause_s: float) -> Outcome:
        tell(Note("chapter", "A story."))
        return Outcome("m1", "npub1x", (3, 1), (40, 20), "rounds", 1000, 1000)

    monkeypatch.setattr(mana_demo, "demo", played)
    ran = run("mana", "demo", "--json")
    assert ran.lines == [
        {
            "match_id": "m1",
            "winner": "npub1x",
            "score": [3, 1],
            "total_damage": [40, 20],
            "loot": 1000,
            "redeemed": 1000,
        }
    ]


def test_without_a_relay_for_this_machine_the_demo_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mana_demo, "find_spec", lambda name: None)
    ran = run("mana", "demo")
    assert ran.code == 2
    assert "nostr-sdk" in ran.err


def test_a_draw_brings_no_loot_so_another_match_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []

    async def play(*given: Any) -> Outcome:
        played.append("match")
        return Outcome(f"m{len(played)}", None if len(played) < 3 else "npub1x")

    @asynccontextmanager
    async def nowhere(folder: Path) -> AsyncIterator[mana_demo.Services]:
        yield mana_demo.Services("ws://127.0.0.1:9", "http://127.0.0.1:9", SecretKey.generate(), "http://127.0.0.1:9")

    monkeypatch.setattr(mana_demo, "play_match", play)
    monkeypatch.setattr(mana_demo, "services", nowhere)
    ran = run("mana", "demo", "--fast")
    assert json.loads(ran.out.splitlines()[-1])["match_id"] == "m3"
    assert ran.out.count("they play again") == 2


def test_a_demo_that_is_interrupted_while_its_services_start_warns_of_nothing(tmp_path: Path) -> None:
    """Ctrl-C before anybody has asked where a service is."""

    async def started() -> None:
        async with mana_demo.process("relay", tmp_path, sys.executable, "-c", "pass"):
            pass

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        asyncio.run(started())
        gc.collect()
    assert [str(one.message) for one in warned] == []
