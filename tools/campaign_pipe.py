"""The other end of the pipe: starts a campaign's host, talks to it, kills it, and knows when it was there."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from tools.campaign_known import Down

ROOT = Path(__file__).parent.parent
LINE = 1 << 24
START_S = 60.0  # a host that is not ready after this long will never be


class HostFailed(Exception):
    """The host ended by itself, or never became ready."""


def now() -> int:
    return time.time_ns() // 1_000_000


@dataclass(slots=True, eq=False)
class Pipe:
    file: Path
    bug: str | None
    hear: Callable[[str, dict[str, Any]], None]  # who, and the update pushed to them
    freeze: Callable[[str, str], None]  # a table that the host cannot load, and why
    downs: list[Down] = field(default_factory=list)
    generation: int = 0
    ready_at: int = 0  # since when the living host is ready
    killed_at: int = 0  # when the first of the kills happened after which nobody has been ready yet
    dying: bool = False
    up: asyncio.Event = field(default_factory=asyncio.Event)
    numbers: itertools.count[int] = field(default_factory=itertools.count)
    waiting: dict[int, asyncio.Future[dict[str, Any] | None]] = field(default_factory=dict)
    process: asyncio.subprocess.Process | None = None
    reading: asyncio.Task[None] | None = None

    # -- the host's life ----------------------------------------------------------------------

    async def start(self) -> None:
        """Start a host; it is up when it says so."""
        self.generation += 1
        self.dying = False
        name = f"{os.getpid()}-{time.time_ns()}"
        words = ["-m", "tools.campaign_host", str(self.file), name, *([self.bug] if self.bug else [])]
        with self.file.with_suffix(".err").open("ab") as errors:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                *words,
                cwd=ROOT,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                limit=LINE,
            )
        self.reading = asyncio.create_task(self.read(self.process))

    async def until_ready(self) -> None:
        assert self.reading is not None
        up = asyncio.create_task(self.up.wait())
        await asyncio.wait({up, self.reading}, timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
        if not self.up.is_set():
            up.cancel()
            raise HostFailed(f"The host did not start; see {self.file.with_suffix('.err')}.")

    def signal_kill(self) -> None:
        """kill -9, by its id. It may have ended by itself: that is seen when it is fetched."""
        assert self.process is not None
        self.up.clear()
        self.dying = True
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)
        self.killed_at = self.killed_at or now()

    async def fetch(self) -> None:
        """Hear what a killed host said before its end, and let everybody know that it is gone."""
        assert self.process is not None
        assert self.reading is not None
        status = await self.process.wait()
        await self.reading
        self.process = None
        if status != -signal.SIGKILL:
            raise HostFailed(f"The host ended by itself ({status}); see {self.file.with_suffix('.err')}.")

    async def end(self) -> None:
        if self.process is not None:
            self.signal_kill()
            with suppress(HostFailed):
                await self.fetch()

    # -- talking --------------------------------------------------------------------------------

    async def read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while (line := await process.stdout.readline()).endswith(b"\n"):
            self.take(msgspec.json.decode(line))
        self.up.clear()
        waiting, self.waiting = self.waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_result(None)

    def take(self, said: dict[str, Any]) -> None:
        if "push" in said:
            self.hear(said["to"], said["push"])
        elif "q" in said:
            future = self.waiting.pop(said.pop("q"), None)
            if future is not None and not future.done():
                future.set_result(said)
        elif "ready" in said:
            self.be_up(said["ready"])
        else:
            self.freeze(said["frozen"], said["error"])

    def be_up(self, ready: int) -> None:
        if self.dying:
            return  # too late: it was killed as it said so
        self.ready_at = ready
        if self.killed_at:
            self.downs.append(Down(self.killed_at, ready))
        self.killed_at = 0
        self.up.set()

    async def ask(self, do: str, **words: Any) -> dict[str, Any] | None:
        """The host's answer, or None if it died before it gave one."""
        return await self.send(do, **words)

    def send(self, do: str, **words: Any) -> asyncio.Future[dict[str, Any] | None]:
        """Send at once; the answer comes later, or None where the host dies first."""
        answer: asyncio.Future[dict[str, Any] | None] = asyncio.get_running_loop().create_future()
        if self.process is None or self.process.stdin is None or not self.up.is_set():
            answer.set_result(None)
            return answer
        number = next(self.numbers)
        self.waiting[number] = answer
        self.process.stdin.write(msgspec.json.encode({"q": number, "do": do, **words}) + b"\n")
        return answer
