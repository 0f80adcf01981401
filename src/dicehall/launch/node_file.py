"""The file by which a running server is found on its own machine: `dicehall drain` reads it and sends a signal.

It lies in a folder that belongs to one user, who is also the only one (besides root) whose signals the process takes.
The server locks it for as long as it runs. The kernel forgets that lock with the process, so a file that was left
behind is recognised, and a number that another process has now is never used.
"""

from __future__ import annotations

import fcntl
import logging
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from dicehall.launch.output import Failed
from dicehall.store.lock import is_still

log = logging.getLogger("dicehall.launch")


@dataclass(frozen=True, slots=True)
class RunningNode:
    port: int
    pid: int


def node_folder() -> Path:
    """Where the session keeps such files, else a folder of this user's among the temporary ones."""
    if session := os.environ.get("XDG_RUNTIME_DIR"):
        return Path(session) / "dicehall"
    return Path(tempfile.gettempdir()) / f"dicehall-{os.geteuid()}"


def file_of(port: int) -> Path:
    return node_folder() / f"{port}.pid"


@contextmanager
def announced(port: int) -> Iterator[None]:
    """While this lasts, the process can be found by its port. A server runs without it, too."""
    path = file_of(port)
    try:
        file = take(path)
    except (OSError, Failed) as error:
        log.warning("dicehall drain cannot find this server: %s", error)
        yield
        return
    try:
        yield
    finally:
        path.unlink(missing_ok=True)  # while it is still ours
        os.close(file)


def take(path: Path) -> int:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_owner(path.parent)
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(file, 0)
            os.pwrite(file, str(os.getpid()).encode(), 0)
        except OSError:
            os.close(file)
            raise
        if is_still(file, path):
            return file
        os.close(file)  # it was removed between opening and locking


def check_owner(folder: Path) -> None:
    """In a folder that others can write to, anybody could name a process to be stopped."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise Failed(f"{folder} must be a folder that only its owner, the user of this process, can write to.")


def running_nodes() -> list[RunningNode]:
    """All servers of this user that can be found, by their ports."""
    folder = node_folder()
    if not folder.exists():
        return []
    check_owner(folder)
    ports = sorted(int(path.stem) for path in folder.glob("*.pid") if path.stem.isascii() and path.stem.isdigit())
    return [node for port in ports if (node := running_node(port))]


def running_node(port: int) -> RunningNode | None:
    """The server on a port; None if it has ended. What a killed one left behind is removed."""
    path = file_of(port)
    with suppress(OSError):
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        except (BlockingIOError, PermissionError):  # locked: it runs
            text = os.pread(file, 20, 0)
            return RunningNode(port, int(text)) if text.isdigit() else None
        finally:
            os.close(file)
    return None
