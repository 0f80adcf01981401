"""Building the shim, running a child under it, and reading what it logged."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).with_name("shim.c")
ROOT = Path(__file__).parents[3]
HEAD = struct.Struct("=c3xIqQ")


class Op(NamedTuple):
    what: str  # Write, Truncate, Sync, Create, Unlink, Rename
    name: str
    at: int
    data: bytes


def build(folder: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or sys.platform != "linux":
        missing = "The power-cut test needs Linux and a C compiler (on Debian: apt-get install gcc)."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    library = folder / "shim.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, SOURCE, "-ldl"], check=True)
    return library


def run(shim: Path, disk: Path, *command: str) -> str:
    """Run a worker whose disk is logged to disk.log; return what it printed."""
    disk.mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(shim), "POWER_DIR": f"{disk}", "POWER_LOG": f"{disk}.log"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    command = (sys.executable, "-m", "tests.store.power.worker", command[0], str(disk), *command[1:])
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_log(disk: Path) -> list[Op]:
    return list(ops(Path(f"{disk}.log").read_bytes(), f"{disk}/"))


def ops(log: bytes, folder: str) -> Iterator[Op]:
    """Names below the folder; the folder itself is the empty name."""
    at = 0
    while at < len(log):
        what, name_size, place, size = HEAD.unpack_from(log, at)
        at += HEAD.size
        name = log[at : at + name_size].decode()
        at += name_size
        data = b"" if what in b"STCU" else log[at : at + size]
        at += len(data)
        yield Op(
            what.decode(), f"{name}/".removeprefix(folder).removesuffix("/"), place, data.removeprefix(folder.encode())
        )
