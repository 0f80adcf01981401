"""Every command block of docs/venue.md, in the order of the page, from a module file to a finished game."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from dicehall.server.limits import RATES
from dicehall.venue import bridge, command_log, events, visitors
from dicehall.venue.sample import TAVERN
from tests.launch.running import COMMAND, ROOT, environment, quoted
from tests.server.running import free_port
from tests.venue.files import Sketch, git_bytes, module_bytes
from tests.venue.patrons import GameServer
from tests.venue.world import PLAYER

PAGE = (ROOT / "docs" / "venue.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
JSON = re.compile(r"^```json\n(.*?)^```$", re.M | re.S)
DEMO = "dicehall venue demo\n"  # has tests of its own
RUNNING = "Dicehall is running at"
WAIT_S = 120


@dataclass(slots=True)
class Reader:
    """Somebody who follows the page, in a folder with their module."""

    folder: Path
    port: int = field(default_factory=free_port)
    stack: ExitStack = field(default_factory=ExitStack)

    def start(self, block: str) -> subprocess.Popen[str]:
        """A block as the page has it, on a port that is free on this machine."""
        program = " ".join(map(quoted, COMMAND))
        serve = f'{program} serve --port {self.port} --mana-bot none "$@"'
        function = f'dicehall() {{ if [ "$1" = serve ]; then shift; exec {serve}; else {program} "$@"; fi; }}'
        script = f"{function}\n{block.replace(':8000', f':{self.port}')}"
        return subprocess.Popen(
            ["bash", "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=environment(),
            start_new_session=True,
        )

    def follow(self, block: str) -> str:
        if block.startswith("dicehall serve"):
            self.stack.enter_context(self.serving(block))
            return ""
        process = self.start(block)
        out, err = process.communicate(timeout=WAIT_S)
        assert (process.returncode, err) == (0, ""), block
        return out

    @contextmanager
    def serving(self, block: str) -> Iterator[None]:
        process = self.start(block)
        assert process.stdout is not None
        assert any(line.startswith(RUNNING) for line in process.stdout), block
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=WAIT_S)


def module_of_the_sample() -> bytes:
    """The sample tavern as a module."""
    areas = {}
    for area in tomllib.loads(TAVERN.read_text(encoding="utf-8"))["areas"]:
        drawn = [("game_aetharn", flat(one["position"]), one["polygon"]) for one in area["triggers"]]
        areas[area["name"]] = git_bytes(
            Sketch(drawn, [(one["tag"], flat(one["position"])) for one in area["placeables"]])
        )
    return module_bytes(areas)


def flat(position: list[float]) -> tuple[float, float]:
    return position[0], position[1]


@pytest.mark.proof
def test_a_reader_comes_from_a_module_file_to_a_finished_game(tmp_path: Path) -> None:
    """A10."""
    (tmp_path / "mymodule.mod").write_bytes(module_of_the_sample())
    found = BLOCK.findall(PAGE)
    assert found.count(DEMO) == 1
    reader = Reader(tmp_path)
    with reader.stack:
        printed = [reader.follow(block) for block in found if block != DEMO]
        asked, (again, sat, commands) = json.loads(printed[-2]), map(json.loads, printed[-1].splitlines())
        assert asked == again
        assert len(asked["tables"]) == 2
        assert sat["commands"][0]["op"] == commands["commands"][0]["op"] == "create"
        assert (tmp_path / "map.svg").is_file()
        secret = (tmp_path / "venue.secret").read_text().strip()
        assert asyncio.run(finished_game(f"http://127.0.0.1:{reader.port}", secret)) in ("Ann wins!", "Bo wins!")


async def finished_game(url: str, secret: str) -> Any:
    headers = {"authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=WAIT_S) as client:
        server = GameServer(client)
        await server.load()
        for player, chair in zip(("ann", "bo"), server.tables[1]["chairs"], strict=False):  # the page sits at the first
            await server.use(player, chair)
        await server.click("ann", "start")
        while not server.sees("ann", "start_shown"):
            if not any([await server.play(player) for player in ("ann", "bo")]):
                await server.poll(1)
        return server.sees("bo", "status", PLAYER)


# -- what the page says ---------------------------------------------------------------------------------


def test_the_page_lists_every_type_of_event() -> None:
    for kind in events.TYPES:
        assert f"`{kind}`" in PAGE


def test_the_json_of_the_page_is_json() -> None:
    for block in JSON.findall(PAGE):
        json.loads(block)


def test_the_limits_of_the_page_are_those_of_the_bridge() -> None:
    venue, player, use = RATES["venue"], RATES["venue_player"], RATES["venue_use"]
    for line in (
        f"| requests with the secret | {venue.burst:.0f} at once, {venue.per_second:.0f} a second",
        f"| events of one player | {player.burst:.0f} at once, {player.per_second:.0f} a second |",
        f"START and NEW GAME, by one player | {use.burst:.0f} at once, {use.per_second:.0f} a second |",
        f"| an event | {events.MOST_BYTES // 1024} KiB |",
        f"| events that wait for their turn | {bridge.MOST_QUEUED} |",
        f"| polls that wait | {command_log.MOST_WAITING};",
        f"| players known at once | {visitors.MOST};",
        f"| commands kept | {command_log.KEPT} |",
        f"| answers kept for events that are posted again | {bridge.KEPT_ANSWERS} |",
        f"An answer holds at most {command_log.MOST_AT_ONCE} commands",
        f"(0 to {bridge.LONGEST_WAIT_S:.0f}, 20 if not given)",
    ):
        assert line in PAGE


def test_the_page_names_every_script() -> None:
    scripts = sorted(file.stem for file in (ROOT / "examples" / "nwn").glob("*.nss"))
    assert len(scripts) == 8
    for script in scripts:
        assert f"`{script}`" in PAGE
