"""The services of a match over Nostr as processes on loopback: a relay, a mint, and the referee, each to be killed.

`python -m tools.campaign_services [--bug NAME] WORDS` is `dicehall WORDS`, with a deliberate bug where one is named.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from dicehall.nostr.keys import SecretKey
from dicehall.referee.mint_client import MintClient
from dicehall.referee.store import Loot, Store
from tools.campaign_hall import environment, free_port
from tools.campaign_pipe import ROOT, START_S, HostFailed

LOOK_S = 0.05
UNSTORED_S = 2.0  # for which the bug pay-first keeps what it has paid from the store
LOOT = 1000
CONFIG = """[server]
port = {port}
[nostr]
relay_url = {relay}
private_key = {key}
[cashu]
mint_url = {mint}
[game]
loot_reward_per_match = {loot}
[logging]
level = "warning"
file = ""
[store]
file = {store}
"""


def store_late() -> None:
    """A deliberate bug: what the referee decides is written only every seventh time, and said before."""
    honest, count = Store.commit, 6  # the first one is written

    def commit(self: Store) -> None:
        nonlocal count
        count += bool(self.batch)
        if count % 7 == 0:
            honest(self)

    Store.commit = commit  # type: ignore[method-assign]


def pay_first() -> None:
    """A deliberate bug: the request for a winner's loot is stored only after the mint has answered it, and a while
    later, so that hardly a kill misses the moment in which the loot is issued and nobody can claim it."""
    honest_put, honest_pay = Store.put_loot, MintClient.pay

    def put_loot(self: Store, loot: Loot) -> None:
        honest_put(self, loot if loot.token else replace(loot, request=None, blindings=None))

    def pay(self: MintClient, loot: Loot) -> str:
        token = honest_pay(self, loot)
        time.sleep(UNSTORED_S)
        return token

    Store.put_loot = put_loot  # type: ignore[method-assign]
    MintClient.pay = pay  # type: ignore[method-assign]


BUGS: dict[str, Callable[[], None]] = {"store-late": store_late, "pay-first": pay_first}


def main() -> None:
    from dicehall.launch.main import run

    words = sys.argv[1:]
    if words[:1] == ["--bug"]:
        BUGS[words[1]]()
        words = words[2:]
    sys.argv[1:] = words
    run()


@dataclass(slots=True, eq=False)
class Service:
    """One port, and one process after another that serves it."""

    name: str
    folder: Path
    words: tuple[str, ...]
    port: int = field(default_factory=free_port)
    bug: str | None = None
    kills: int = 0
    process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        bug = ("--bug", self.bug) if self.bug else ()
        with (self.folder / f"{self.name}.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tools.campaign_services", *bug, *self.words),
                cwd=ROOT,
                env=environment(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=log,
            )
        begun = time.monotonic()
        while not is_listening(self.port):
            if self.process.returncode is not None or time.monotonic() - begun > START_S:
                raise HostFailed(f"The {self.name} did not start; see {self.folder / self.name}.log.")
            await asyncio.sleep(LOOK_S)

    async def kill(self) -> None:
        assert self.process is not None
        if self.process.returncode is not None:
            raise HostFailed(f"The {self.name} ended unasked ({self.process.returncode}).")
        os.kill(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        self.kills += 1


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Services:
    relay: Service
    mint: Service
    bot: Service
    referee: SecretKey

    @property
    def all(self) -> tuple[Service, Service, Service]:
        return self.relay, self.mint, self.bot

    @property
    def relay_url(self) -> str:
        return f"ws://127.0.0.1:{self.relay.port}"

    @property
    def mint_url(self) -> str:
        return f"http://127.0.0.1:{self.mint.port}"


def make_services(folder: Path, bug: str | None) -> Services:
    referee, ports = SecretKey.generate(), [free_port() for _ in range(3)]
    relay = ("relay", "--port", str(ports[0]), "--db", str(folder / "relay"))
    mint = ("mint", "--faucet", "--port", str(ports[1]), "--db", str(folder / "mint.db"), "--log", "warning")
    for_referee = ("--referee", referee.npub, "--max-loot", str(LOOT))
    config = folder / "game-engine.toml"
    values = {
        "relay": f"ws://127.0.0.1:{ports[0]}",
        "mint": f"http://127.0.0.1:{ports[1]}",
        "key": referee.nsec,
        "store": str(folder / "referee.db"),
    }
    text = {name: json.dumps(value) for name, value in values.items()}
    config.write_text(CONFIG.format(port=ports[2], loot=LOOT, **text), encoding="utf-8")
    return Services(
        Service("relay", folder, relay, ports[0]),
        Service("mint", folder, (*mint, *for_referee), ports[1]),
        Service("bot", folder, ("bot", "--config", str(config)), ports[2], bug),
        referee,
    )


if __name__ == "__main__":
    main()
