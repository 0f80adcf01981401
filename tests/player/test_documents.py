"""Every command block of docs/mana.md, run in the order of the page by three servers and two players."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dicehall.launch.mana_demo import RUNNING
from tests.launch.running import COMMAND, ROOT, environment, quoted
from tests.player.services import free_port

WAIT_S = 120
BLOCK = re.compile(r"^```(sh|toml)\n(.*?)^```$", re.M | re.S)
SERVERS = ("dicehall relay", "dicehall mint", "dicehall bot")
DEMO = "dicehall mana demo\n"  # has tests of its own, in test_demo.py
TYPED = "\n" + "1\n2\n3\n4\n5\n"  # a token from the faucet, then a unit for each round


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall((ROOT / "docs" / "mana.md").read_text(encoding="utf-8"))


@dataclass(slots=True)
class Reader:
    """Somebody who follows the page: in a folder of their own, with ports that are free on this machine."""

    folder: Path
    ports: dict[str, int] = field(default_factory=lambda: {name: free_port() for name in ("7777", "3333", "4444")})
    variables: dict[str, str] = field(default_factory=dict)
    playing: list[subprocess.Popen[str]] = field(default_factory=list)
    stack: ExitStack = field(default_factory=ExitStack)

    def on_free_ports(self, text: str) -> str:
        for usual, free in self.ports.items():
            text = re.sub(rf"\b{usual}\b", str(free), text)
        return text

    def start(self, command: str, home: str = "servers") -> subprocess.Popen[str]:
        """A block as the page has it; what the usual ports would stand for is said to ``dicehall mana play``."""
        usual = "--relay ws://127.0.0.1:7777 --mint http://127.0.0.1:3333 --referee http://127.0.0.1:4444"
        program = " ".join(map(quoted, COMMAND))
        function = (
            f'dicehall() {{ if [ "$1 $2" = "mana play" ]; then shift 2; {program} mana play {usual} "$@"; '
            f'else {program} "$@"; fi; }}'
        )
        script = self.on_free_ports(f"{function}\n{command}")
        own = {"HOME": str(self.folder / home), "GAME_ENGINE_SERVER_PORT": str(self.ports["4444"])}
        kept = {name: value for name, value in environment(**own, **self.variables).items() if "XDG" not in name}
        return subprocess.Popen(
            ["bash", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=kept,
            start_new_session=True,
        )

    def follow(self, kind: str, text: str) -> None:
        if kind == "toml":
            name = text.partition("\n")[0].removeprefix("# ")
            (self.folder / name).write_text(self.on_free_ports(text), encoding="utf-8")
        elif text.startswith(SERVERS):
            self.stack.enter_context(self.serving(text))
        elif "mana play" in text:
            self.play(text)
        else:
            assert told(self.start(text))

    @contextmanager
    def serving(self, text: str) -> Iterator[None]:
        process = self.start(text)
        assert process.stdout is not None
        assert any(RUNNING.search(line) for line in process.stdout), text
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=WAIT_S)

    def play(self, text: str) -> None:
        """The page has a challenge and then the acceptance of it."""
        home = "ann" if "--challenge" in text else "bo"
        process = self.start(text, home)
        assert process.stdin is not None
        process.stdin.write(TYPED)  # now, for both play at once
        process.stdin.flush()
        self.playing.append(process)
        if home == "bo":
            both = [self.played(one) for one in self.playing]
            assert sum("You win the match" in one for one in both) == sum("You redeem 1000 loot" in one for one in both)
            self.playing.clear()

    def played(self, process: subprocess.Popen[str]) -> str:
        found = told(process)
        assert re.search(r"(wins?|is a draw).*\d-\d", found), found
        return found


def told(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=WAIT_S)
    assert (process.returncode, err) == (0, "")
    return out


@pytest.mark.proof
def test_every_command_of_the_page_works_in_its_order(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    npub = json.loads(told(reader.start("dicehall nostr key --json", "bo")))["npub"]
    referee = json.loads(told(reader.start("dicehall nostr key --file bot.key --json")))["npub"]
    relay, mint = (reader.on_free_ports(url) for url in ("ws://127.0.0.1:7777", "http://127.0.0.1:3333"))
    reader.variables |= {"BO": npub, "REFEREE": referee, "RELAY": relay, "MINT": mint}
    found = blocks()
    assert [text for _, text in found].count(DEMO) == 1
    with reader.stack:
        for kind, text in found:
            if text != DEMO:
                reader.follow(kind, text)
        assert not reader.playing
