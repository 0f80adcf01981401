"""The two servers as processes on a core of their own, and what the kernel says about them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# One core for the load, one for the server; the same where there is only one.
LOAD_CORE, SERVER_CORE = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
BENCH = Path(__file__).resolve().parent.parent
BOARDGAME, SOURCES = BENCH / "boardgame", BENCH.parent / "src"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def dicehall(folder: Path, port: int, python: str | None = None) -> Iterator[int]:
    """As ``dicehall serve`` runs behind a proxy: a real file, every commit synced."""
    command = [python or sys.executable, "-m", "dicehall", "serve", "--port", str(port), "--log", "warning"]
    settings = {"PYTHONPATH": str(SOURCES)} if python else {}
    with running([*command, "--trust-proxy", "--db", str(folder / f"hall-{port}.db")], port, settings) as pid:
        yield pid


@contextmanager
def node(port: int, database: str, cores: set[int]) -> Iterator[int]:
    """One of several processes on a PostgreSQL, on these cores."""
    command = [sys.executable, "-m", "dicehall", "serve", "--port", str(port), "--log", "warning", "--trust-proxy"]
    with running(command, port, {"DICEHALL_DB": database}, cores) as pid:
        yield pid


@contextmanager
def boardgame(port: int) -> Iterator[int]:
    """boardgame.io's own server, with its storage in memory."""
    if not (BOARDGAME / "node_modules").exists():
        subprocess.run(["npm", "ci", "--no-progress", "--silent"], cwd=BOARDGAME, check=True)
    settings = {"PORT": str(port), "GOAL": "1000000", "NODE_ENV": "production"}
    with running(["node", str(BOARDGAME / "pig.js")], port, settings) as pid:
        yield pid


@contextmanager
def running(command: list[str], port: int, settings: dict[str, str], cores: set[int] | None = None) -> Iterator[int]:
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **settings},
        preexec_fn=lambda: os.sched_setaffinity(0, cores or {SERVER_CORE}),
    )
    try:
        wait_for(process, port)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    """Until it listens: our socket is open before the hall is, so it is asked for a line."""
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended before it listened.")
        try:
            with socket.create_connection(("127.0.0.1", port), 10) as probe:
                probe.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                if probe.recv(1):
                    return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{process.args!r} does not listen.")


def cpu_seconds(pid: int) -> float:
    """What all threads of a process used."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def resident_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
