"""The relay, the mint and the referee as processes, for tests of commands that somebody types."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dicehall.launch.mana_demo import RUNNING, configuration
from dicehall.nostr.keys import SecretKey
from tests.launch.running import COMMAND, environment

WAIT_S = 60


@dataclass(frozen=True, slots=True)
class Running:
    relay: str
    mint: str
    referee: SecretKey
    status: str  # the referee's page

    @property
    def words(self) -> tuple[str, ...]:
        return "--relay", self.relay, "--mint", self.mint, "--referee", self.referee.npub


@contextmanager
def service(*words: str, folder: Path) -> Iterator[str]:
    """The address of a process that runs until the end of the block."""
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(), cwd=folder
    )
    try:
        assert process.stdout is not None
        yield next(found[1] for line in process.stdout if (found := RUNNING.search(line)))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=WAIT_S)


@contextmanager
def services(folder: Path) -> Iterator[Running]:
    referee = SecretKey.generate()
    mint_words = ("--port", "0", "--db", str(folder / "mint.db"), "--faucet", "--referee", referee.npub)
    with ExitStack() as stack:
        relay_words = ("--port", "0", "--db", str(folder / "relay"))
        relay = stack.enter_context(service(*COMMAND, "relay", *relay_words, folder=folder))
        mint = stack.enter_context(service(*COMMAND, "mint", *mint_words, folder=folder))
        config = folder / "game-engine.toml"
        config.write_text(configuration(folder, referee, relay, mint), encoding="utf-8")
        status = stack.enter_context(service(*COMMAND, "bot", "--config", str(config), folder=folder))
        yield Running(relay, mint, referee, status)


@dataclass(slots=True)
class Player:
    """Somebody with a key and a folder who types ``dicehall mana play``."""

    name: str
    folder: Path
    running: Running
    npub: str = field(init=False)

    def __post_init__(self) -> None:
        made = subprocess.run(
            [*COMMAND, "nostr", "key", "--file", str(self.key), "--json"],
            capture_output=True,
            env=environment(),
            check=True,
        )
        self.npub = json.loads(made.stdout)["npub"]

    @property
    def key(self) -> Path:
        return self.folder / f"{self.name}.key"

    def start(self, *words: str) -> subprocess.Popen[str]:
        command = [*COMMAND, "mana", "play", *self.running.words, "--key", str(self.key)]
        return subprocess.Popen(
            [*command, "--data", str(self.folder / "data"), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )


def ended(process: subprocess.Popen[str], typed: str | None = None) -> tuple[int, str]:
    """The exit code and what was printed."""
    out, err = process.communicate(typed, timeout=WAIT_S)
    assert "Traceback" not in err, err
    return process.returncode, out + err


def last_json(text: str) -> Any:
    return json.loads(text.strip().splitlines()[-1])


def line_with(process: subprocess.Popen[str], pattern: str) -> str:
    """The next line that has this in it."""
    assert process.stdout is not None
    for line in process.stdout:
        if re.search(pattern, line):
            return line
    raise AssertionError(f"no line with {pattern}")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port
