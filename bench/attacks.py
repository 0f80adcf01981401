"""What honest players wait while one client at another address attacks the hall, against what they wait in peace.

    python bench/attacks.py [--seconds 5] [--only NAME]

A fresh hall, as shipped, in a process of its own, two honest players at a table of Dice Wards, and one attacker with 20
connections in a third process. Only the figures of one run may be compared. Needs Linux: the attacker has another
loopback address.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from websockets.asyncio.client import ClientConnection, connect

from bench.load.attackers import ADDRESS, ATTACKS, Attacker
from bench.load.processes import free_port, resident_kb, wait_for

PACE_S = 0.01  # between two acts of the honest players
LONG = 1500  # acts in the long journal


@dataclass(slots=True)
class Person:
    line: ClientConnection
    token: str = ""
    asked: int = 0

    async def ask(self, do: str, **more: Any) -> Any:
        self.asked += 1
        await self.line.send(json.dumps({"id": self.asked, "do": do, **more}))
        while True:
            heard = json.loads(await self.line.recv())
            if heard.get("re") == self.asked:
                if "error" in heard:
                    raise RuntimeError(f"{do}: {heard['error']}")
                return heard["ok"]


@dataclass(slots=True)
class Pair:
    people: list[Person]
    table: str = ""
    acts: int = 0
    waits_ms: list[float] = field(default_factory=list)

    async def sit(self, **rules: Any) -> Pair:
        self.table = (await self.people[0].ask("open", game="wards", rules=rules))["id"]
        for person in self.people:
            await person.ask("sit", table=self.table)
        return self

    async def hold(self) -> None:
        """Always allowed, and passes the turn."""
        begun = time.perf_counter()
        await self.people[self.acts % 2].ask("act", table=self.table, move="hold")
        self.waits_ms.append((time.perf_counter() - begun) * 1000)
        self.acts += 1

    async def play_for(self, seconds: float) -> list[float]:
        self.waits_ms.clear()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            await self.hold()
            await asyncio.sleep(PACE_S)
        return list(self.waits_ms)

    async def finish(self) -> None:
        """Roll until somebody has won."""
        while True:
            look = await self.people[0].ask("look", table=self.table)
            if look["phase"] != "playing":
                return
            mover = self.people[look["view"]["turn"][0]]
            move = "hold" if look["view"]["round_score"] >= 2 else "roll"
            await mover.ask("act", table=self.table, move=move)


async def come(port: int, name: str, address: str = "127.0.0.1") -> Person:
    line = await connect(f"ws://127.0.0.1:{port}/ws", local_addr=(address, 0), max_size=None)
    person = Person(line)
    await person.ask("hello", version=1)
    person.token = (await person.ask("guest", name=name))["token"]
    return person


async def prepared(port: int) -> Attacker:
    """What the attacker played before: a finished game, a long one, and one against a bot."""
    people = [await come(port, name, ADDRESS) for name in ("Mallory", "Mel")]
    done = await Pair(people).sit(goal=2)
    await done.finish()
    long = await Pair(people).sit(goal=1000)
    for _ in range(LONG):
        await long.hold()
        await asyncio.sleep(0.003)
    bots = [{"seat": 1, "level": "random"}]
    running = (await people[0].ask("open", game="wards", hints=True, bots=bots))["id"]
    await people[0].ask("sit", table=running)
    return Attacker(port, people[0].token, done.table, running, long.table)


@asynccontextmanager
async def attack(attacker: Attacker, name: str) -> AsyncIterator[None]:
    given = [str(attacker.port), attacker.token, attacker.finished, attacker.running, attacker.long]
    process = subprocess.Popen([sys.executable, __file__, "--as", name, *given])
    try:
        await asyncio.sleep(1)
        yield
        if process.poll() is not None:
            raise RuntimeError(f"The attacker gave up: {name}.")
    finally:
        process.kill()
        process.wait()


def figures(waits_ms: list[float], peace: float) -> dict[str, Any]:
    cuts = quantiles(waits_ms, n=100, method="inclusive")
    return {
        "acts": len(waits_ms),
        "p50_ms": round(cuts[49], 2),
        "p99_ms": round(cuts[98], 2),
        "longest_ms": round(max(waits_ms), 1),
        "p50_against_peace": round(cuts[49] / (peace or cuts[49]), 2),
    }


async def run(names: list[str], seconds: float, folder: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "dicehall", "serve", "--port", str(port), "--db", str(folder / "hall.db")]
    server = subprocess.Popen([*command, "--log", "warning"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(server, port)
        attacker = await prepared(port)
        honest = await Pair([await come(port, name) for name in ("Ann", "Bo")]).sit(goal=1000)
        waits = await honest.play_for(seconds)
        peace = quantiles(waits, n=100)[49]
        show("peace", server.pid, **figures(waits, peace))
        for name in names:
            async with attack(attacker, name):
                waits = await honest.play_for(seconds)
            show(name, server.pid, **figures(waits, peace))
    finally:
        server.terminate()
        server.wait(20)


def show(what: str, pid: int, **told: Any) -> None:
    load = round(os.getloadavg()[0], 1)
    print(json.dumps({"bench": what, **told, "memory_mib": resident_kb(pid) >> 10, "load": load}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5, help="of each attack (default 5)")
    parser.add_argument("--only", choices=ATTACKS, action="append", help="this attack, more than once for several")
    parser.add_argument("--as", dest="role", nargs=6, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.role:
        name, port, *rest = asked.role
        socket.setdefaulttimeout(30)
        ATTACKS[name](Attacker(int(port), *rest))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(asked.only or list(ATTACKS), asked.seconds, Path(folder)))


if __name__ == "__main__":
    main()
