"""A real server on a real port and file: started, killed and stopped by a campaign, which knows when it was there."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.campaign_known import Down
from tools.campaign_pipe import ROOT, START_S, HostFailed, now

STOP_S = 20.0  # a server that is told to stop has stopped by then
LOOK_S = 0.05  # between two looks whether it is ready


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@dataclass(slots=True, eq=False)
class HallProcess:
    """One port and one file, and one process after another that serves them.

    What is called ready here is the moment before a process was started: nothing was stored since the last one
    ended, so no clock began in between, and nothing the new one does is older.
    """

    file: Path
    bug: str | None
    port: int = field(default_factory=free_port)
    downs: list[Down] = field(default_factory=list)
    begun: int = 0  # when the living process was started
    killed_at: int = 0  # when the first of the kills happened after which nobody has been ready yet
    up: asyncio.Event = field(default_factory=asyncio.Event)
    process: asyncio.subprocess.Process | None = None
    database: str | None = None  # where it is not the file

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.file.with_suffix(".log")

    async def start(self, *words: str) -> None:
        """Start a server; it is up when it says that it is ready."""
        bug = ("--bug", self.bug) if self.bug else ()
        serve = ("--port", str(self.port), "--log", "warning")
        self.begun = now()
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tools.campaign_serve", *bug, *words, *serve),
                cwd=ROOT,
                env={**environment(), "DICEHALL_DB": self.database or str(self.file)},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=log,
            )

    async def until_ready(self) -> None:
        assert self.process is not None
        try:
            async with asyncio.timeout(START_S):
                while not await is_ready(self.port):
                    if self.process.returncode is not None:
                        raise HostFailed(f"The server ended by itself; see {self.log}.")
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            raise HostFailed(f"The server did not become ready; see {self.log}.") from None
        if self.killed_at:
            self.downs.append(Down(self.killed_at, self.begun))
        self.killed_at = 0
        self.up.set()

    async def kill(self) -> None:
        """kill -9, by its id."""
        await self.end(signal.SIGKILL, (-signal.SIGKILL,))

    async def stop(self) -> None:
        """As an operator does it: the server drains first. One that was not ready yet may just end."""
        ready = self.up.is_set()
        await self.end(signal.SIGTERM, (0, -signal.SIGTERM) if ready else (0, 1, -signal.SIGTERM))

    async def end(self, how: signal.Signals, codes: Sequence[int]) -> None:
        process = self.process
        assert process is not None
        self.up.clear()
        self.killed_at = self.killed_at or now()
        if process.returncode is None:
            os.kill(process.pid, how)
        try:
            async with asyncio.timeout(STOP_S):
                code = await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
            raise HostFailed(f"The server did not stop within {STOP_S:.0f} s; see {self.log}.") from None
        self.process = None
        if code not in codes:
            raise HostFailed(f"The server ended by itself ({code}); see {self.log}.")

    async def clean_up(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


async def is_ready(port: int) -> bool:
    """Whether /readyz says so."""
    try:
        async with asyncio.timeout(5):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                return (await reader.readline()).split()[1:2] == [b"200"]
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src")}
